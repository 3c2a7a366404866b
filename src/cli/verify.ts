import path from 'node:path';
import type { Command } from 'commander';
import type { Access } from '../toolkit/access/createAccess';
import { WorkbenchError } from '../toolkit/base/errors';
import { sourceLanguage } from '../toolkit/contracts/abi/sourceLanguage';
import type { RecordedDeployment } from '../toolkit/project/deployments';
import type { SourceVerdict } from '../toolkit/workflows/verifyContract';
import type { NetworkOptions } from './networkOptions';
import { addNetworkOptions, openAccess } from './networkOptions';
import { addJsonOptions, networkHere, takesLinks } from './networkHere';
import { usageError, writeJsonLine, writeNote, writeText } from './output';
import { projectPlace } from './projectWith';
import { reachedAccountNames } from './reachedAccountNames';
import { readContract } from './readContract';
import { stopSignal } from './runTests';
import { pathHere, surroundings } from './surroundings';

interface VerifyOptions extends NetworkOptions {
  json?: true;
  source?: string;
  contract?: string;
  verifier?: string;
}

/** `verify NAME|ADDRESS`: whether the code on the chain is what the source compiles to. */
export function registerVerifyCommand(program: Command): void {
  const command = program
    .command('verify')
    .summary("compare a contract's code with what its source compiles to")
    .description(
      'Compiles the source that deployments/NETWORK.json records, or --source, and compares it with the code on the ' +
        'chain. If they differ, names the methods that do; exit status 1. A verifier service, if one is configured, ' +
        'is asked, too: its answer stands beside.',
    )
    .argument('<contract>', 'a name in the record, an address, or a link to it')
    .option(
      '--source <file>',
      'the source, or build output (default: by the record; on the local network, by the code)',
    )
    .option('--contract <name>', 'which one, if the source declares several')
    .option('--verifier <url>', "base of a verifier's API (default: TON_VERIFIER)");
  addJsonOptions(
    command,
    'print the result as one JSON line',
    async () => (await import('./codeVerdictAnswer')).codeVerdictSchema,
  );
  takesLinks(addNetworkOptions(command)).action(verify);
}

async function verify(given: string, options: VerifyOptions): Promise<void> {
  const { network } = networkHere(options.network);
  const signal = stopSignal();
  const [
    access,
    { askVerifier, changeWords, verdictWords, verifierUrl, verifyContract },
    { codeVerdictAnswer },
    { createFetchTransport },
    { readAddressForm, toFriendlyAddress },
    { findAccount },
    { readDeployments },
  ] = await Promise.all([
    openAccess(network, options),
    import('../toolkit/workflows/verifyContract'),
    import('./codeVerdictAnswer'),
    import('../toolkit/access/createAccess'),
    import('../toolkit/address/canonicalAddress'),
    import('../toolkit/accounts/findAccount'),
    import('../toolkit/project/deploymentsFolder'),
  ]);
  const service = verifierUrl(
    options.verifier ?? surroundings().environment.TON_VERIFIER,
    options.verifier === undefined ? 'TON_VERIFIER' : '--verifier',
  );
  const project = await projectPlace(surroundings().folder);
  const address = await findAccount(access, given, await reachedAccountNames(access), signal);
  const recorded = readDeployments(project, network.name)?.deployments.findLast(
    (one) => one.address === address,
  );
  const file =
    options.source ?? sourceIn(project, recorded) ?? (await sourceOnLocal(access, project, address));
  if (file === undefined) {
    throw usageError(
      `The record of ${network.name} has no source for ${given}.`,
      'Name it: --source contracts/counter.tolk.',
    );
  }
  const contract = options.contract ?? recorded?.contract;
  const built = await readContract(file, contract, { isDry: true });
  const names = await methodsOf(file);
  const verdict = await verifyContract(access, address, built, names, { signal, priority: 'user' });
  const before = recorded?.compiler;
  const isOther = before !== undefined && built.compiledBy !== undefined && before !== built.compiledBy;
  const testOnly = network.kind === 'testnet';
  const friendly = toFriendlyAddress(readAddressForm(address), { bounceable: true, testOnly });
  const said =
    service === undefined
      ? undefined
      : await askVerifier(service, friendly, {
          transport: createFetchTransport(),
          signal: AbortSignal.any([signal, AbortSignal.timeout(verifierMs)]),
        });
  const shown = path.relative(surroundings().folder, pathHere(file));
  if (options.json === true) {
    writeJsonLine(
      codeVerdictAnswer({ address, file: shown, verdict, said, compiledBy: built.compiledBy, recorded }),
    );
  } else {
    writeText(
      [
        `${recorded?.name ?? given} on ${network.name} ${verdictWords(verdict, shown, built.compiledBy)}`,
        ...(verdict.methods ?? []).map(({ name, change }) => `  ${name}: ${changeWords[change]}`),
        ...(said === undefined ? [] : [said]),
      ].join('\n'),
    );
  }
  if (isOther) {
    writeNote(`! It was deployed with another compiler: ${before}; here it is ${built.compiledBy}.`);
  }
  requireSame(verdict, recorded?.name ?? given, isOther);
}

/** Milliseconds for a verifier, whose answer stands beside. */
const verifierMs = 20_000;

/** The source of the record, as a file here. */
function sourceIn(project: string, recorded: RecordedDeployment | undefined): string | undefined {
  return recorded?.source === undefined ? undefined : path.join(project, recorded.source);
}

/** The source that a contract of the local network, which has no record, was compiled from here. */
async function sourceOnLocal(access: Access, project: string, address: string): Promise<string | undefined> {
  const { describeHere } = await import('./describeHere');
  const file = (await describeHere(access)(address))?.file;
  return file === undefined ? undefined : path.join(project, file);
}

async function methodsOf(file: string): Promise<string[]> {
  if (sourceLanguage(file) === undefined) {
    return [];
  }
  const { readTypesFile } = await import('./readGivenFile');
  return (await readTypesFile(file)).map(({ name }) => name);
}

/** @throws WorkbenchError `contract-missing`, `code-differs` (failed) */
function requireSame({ state }: SourceVerdict, name: string, isOtherCompiler: boolean): void {
  if (state === 'absent') {
    throw new WorkbenchError({
      code: 'contract-missing',
      kind: 'failed',
      message: `There is no code at the address of ${name}.`,
      hint: 'Check the network, and the address in the record.',
    });
  }
  if (state === 'differs') {
    throw new WorkbenchError({
      code: 'code-differs',
      kind: 'failed',
      message: `The code of ${name} is not what its source compiles to.`,
      hint: isOtherCompiler
        ? 'Install the compiler that it was deployed with, then try again.'
        : 'The source has changed since it was deployed, or its compiler or their options have.',
    });
  }
}
