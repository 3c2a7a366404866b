import type { Cell } from '@ton/core';
import type { Command } from 'commander';
import type { Access } from '../toolkit/access/createAccess';
import type { BuiltContract } from '../toolkit/build/readBuiltContract';
import { WorkbenchError } from '../toolkit/base/errors';
import { readUserFile } from '../toolkit/base/readUserFile';
import { missingContractError, refusedMessageText } from '../toolkit/send/deploymentFate';
import type { StackTextOptions } from '../toolkit/stack/stackTextContext';
import type { Deployment } from '../toolkit/workflows/planDeployment';
import { codesInText } from './codesInText';
import { namedOnLocal, namesInText } from './reachedAccountNames';
import { keepDeployed, recordedNames } from './deployedHere';
import { addNetworkOptions, openAccess } from './networkOptions';
import { addJsonOptions, networkHere } from './networkHere';
import { writeJsonLine, writeNote, writeText } from './output';
import { readContract, readStorageOf } from './readContract';
import { stopSignal } from './runTests';
import type { DeployAnswer, SendAnswer } from './sendAnswer';
import type { DeployMessageOptions } from './sendDeployment';
import { sendDeployment } from './sendDeployment';
import { addSigningOptions, signingWayMissingError } from './signingOptions';
import { pathHere } from './surroundings';
import path from 'node:path';

interface DeployOptions extends DeployMessageOptions {
  data?: string;
  contract?: string;
  name?: string;
}

/**
 * `deploy FILE`: compiles a contract, shows its future address, and deploys it with a wallet of the local
 * network.
 */
export function registerDeployCommand(program: Command): void {
  const command = program
    .command('deploy')
    .summary('compile a contract and deploy it')
    .description(
      'Takes a source, or build output of Blueprint, Acton, or Tact, other JSON with the code, or a .boc. Prints the ' +
        'address and the state init, rehearses the deployment, sends it from a wallet of the local network unless ' +
        'the contract is there already, and follows it. FunC and Tact need their compilers in node_modules. On other ' +
        'networks your own wallet signs it (--sign), and deployments/NETWORK.json records it.',
    )
    .argument('<file>', '*.tolk, *.fc, *.tact, *.compiled.json, *.pkg, *.json or *.boc')
    .option(
      '--data <cell>',
      'initial data: the fields of the storage, or of init in Tact, "{owner: alice, count: 0}", or a cell, ' +
        '"b(addr @alice, u32 0)" (default: an empty cell, if nothing describes it)',
    )
    .option(
      '--message <message>',
      'first message: "Init {admin: alice}", "comment \'Deploy\'", or a cell (default: empty)',
    )
    .option('--contract <name>', 'which one, if the source declares several')
    .option('--name <name>', 'its name (default: that of the file)')
    .option('--from <wallet>', 'who pays: a local wallet (default: the first), elsewhere its address')
    .option('--value <coins>', 'coins that the contract starts with', '1ton')
    .option('--dry-run', 'only print and rehearse; exit status 1 if it would fail')
    .option('--yes', 'hand it over on the main network')
    .option('--anyway', 'send even what the account would not accept, or cannot pay for');
  addJsonOptions(
    command,
    'print the result as one JSON line',
    async () => (await import('./sendAnswer')).deployLineSchema,
  );
  addSigningOptions(addNetworkOptions(command)).action(async (file: string, options: DeployOptions) => {
    await deploy(file, options);
  });
}

async function deploy(file: string, options: DeployOptions): Promise<void> {
  const [{ planDeployment }, { contractName }] = await Promise.all([
    import('../toolkit/workflows/planDeployment'),
    import('../toolkit/build/readBuiltContract'),
  ]);
  const { network } = networkHere(options.network);
  const signal = stopSignal({ isReaderNeeded: false });
  const built = await readContract(file, options.contract, { isDry: options.dryRun });
  const isLocal = network.kind === 'local';
  const access = await openAccess(network, options);
  const named = isLocal ? (await namedOnLocal(network)).accounts : await recordedNames(network);
  const accounts = await namesInText(access, options.data ?? '', named, signal);
  const codes = await codesInText(options.data ?? '', path.dirname(pathHere(file)), options.dryRun);
  const { data, isDescribed } = await initialData(file, built, options.data, { accounts, codes });
  const wanted = options.name?.trim() ?? built.name;
  const name = /^[A-Za-z_][\w-]*$/.test(wanted) ? wanted : contractName(wanted);
  const plan = await planDeployment(access, { ...built, name }, data, signal);
  const told = new ToldDeployment(plan, options.json === true);
  const kept = { file, contract: options.contract, data: options.data };
  if (plan.isDeployed === true) {
    const known = [...named].find(([, address]) => address === plan.address)?.[0];
    // Elsewhere, the record gets the name that was asked for.
    told.isThere(known, isLocal || known !== undefined ? options.name : undefined);
    if (options.dryRun !== true) {
      await keepDeployed(plan, access, kept, signal);
    }
    return;
  }
  told.planned();
  try {
    if (!isLocal && options.sign === undefined && options.dryRun !== true) {
      throw signingWayMissingError(network);
    }
    if (!isDescribed) {
      await warnOfData(file, access, plan, options.data === undefined);
    }
    const refusal = await sendDeployment(
      plan,
      { name: built.name, file },
      { ...options, onResult: (result) => told.sent(result) },
    );
    if (options.dryRun !== true && options.wait !== false) {
      await requireDeployed(plan, access, told, { signal, value: options.value });
      if (isLocal) {
        told.named(await giveName(plan, network, signal));
      }
      await keepDeployed(plan, access, kept, signal);
    }
    if (refusal !== undefined) {
      told.refused(refusal, options);
    }
  } finally {
    told.end();
  }
}

/** Tells of a deployment: in words as it goes on, or as one JSON document at its end. */
class ToldDeployment {
  readonly #plan: Deployment;
  readonly #isJson: boolean;
  #isDeployed: boolean | undefined;
  #name: string | undefined;
  #result: SendAnswer | undefined;

  constructor(plan: Deployment, isJson: boolean) {
    this.#plan = plan;
    this.#isJson = isJson;
    this.#isDeployed = plan.isDeployed;
    this.#name = plan.name;
  }

  /** @param wanted the name that the user asked for */
  isThere(name: string | undefined, wanted: string | undefined): void {
    this.#name = name ?? this.#plan.name;
    if (wanted !== undefined && name !== wanted) {
      const keeps = name === undefined ? 'it has no name there' : `it is called ${name} there`;
      writeNote(
        `The name ${wanted} was not given: the same code and data is deployed already, and ${keeps}.`,
      );
    }
    this.#write(`${this.#name} is already deployed; nothing was sent.`, []);
    this.end();
  }

  planned(): void {
    this.#write(this.#plan.name, ['']);
  }

  sent(result: SendAnswer): void {
    this.#result = result;
    // Known again once the network was asked.
    this.#isDeployed = result.sent ? undefined : this.#isDeployed;
  }

  found(isDeployed: boolean | undefined): void {
    this.#isDeployed = isDeployed;
  }

  named(name: string | undefined): void {
    this.#name = name;
  }

  /**
   * The contract is there all the same: with an empty message, as nothing else was asked for, that is what was wanted.
   * @throws WorkbenchError the refusal, if the message was given
   */
  refused(refusal: WorkbenchError, { message, dryRun }: DeployOptions): void {
    const told = refusedMessageText(this.#name ?? this.#plan.name, {
      isEmpty: message === undefined,
      isSent: dryRun !== true,
      reason: refusal.message,
    });
    if (message === undefined) {
      writeNote(`${told} If it wants another one first, give that to deploy: --message "NAME {…}".`);
      return;
    }
    const { code, kind, hint, details, cause } = refusal;
    throw new WorkbenchError({ code, kind, message: told, hint, details, cause });
  }

  /** The last call: what is known by then is one document, also if sending failed. */
  end(): void {
    if (this.#isJson) {
      const { address, codeHash, stateInit, compiledBy } = this.#plan;
      const answer: DeployAnswer = {
        name: this.#name ?? null,
        ...{ address, codeHash, stateInit },
        compiledBy: compiledBy ?? null,
        isDeployed: this.#isDeployed ?? null,
        send: this.#result ?? null,
      };
      writeJsonLine(answer);
    }
  }

  #write(title: string, end: readonly string[]): void {
    if (!this.#isJson) {
      const { address, codeHash, stateInit, compiledBy } = this.#plan;
      writeText(
        [
          title,
          `  address     ${address}`,
          `  code hash   ${codeHash}`,
          ...(compiledBy === undefined ? [] : [`  compiler    ${compiledBy}`]),
          `  state init  ${stateInit}`,
          ...end,
        ].join('\n'),
      );
    }
  }
}

async function requireDeployed(
  { name, address }: Deployment,
  access: Access,
  told: ToldDeployment,
  { signal, value }: { signal: AbortSignal; value: string },
): Promise<void> {
  const { hasContract } = await import('../toolkit/workflows/planDeployment');
  const isDeployed = await hasContract(access, address, { signal, priority: 'user' });
  told.found(isDeployed);
  if (isDeployed === false) {
    throw missingContractError(
      name,
      address,
      `Its code did not run, or failed, on ${value}. Look at the trace above, and try --value 1ton.`,
    );
  }
  if (isDeployed === undefined) {
    writeNote(
      `The network does not say whether ${name} is deployed; the trace shows what became of the message.`,
    );
  }
}

/**
 * Registers the name, which can then be used wherever an address is expected; a network without names is no
 * problem.
 * @returns the name that it has
 */
async function giveName(
  { address, name }: Deployment,
  network: { v2?: string | undefined; v3?: string | undefined },
  signal: AbortSignal,
): Promise<string | undefined> {
  const [{ callControl }, { controlOf }] = await Promise.all([
    import('../toolkit/localnet/callControl'),
    import('../toolkit/localnet/controlOf'),
  ]);
  try {
    const given = await callControl(controlOf(network) ?? '', 'name', { address, name }, signal);
    if (given.name !== name) {
      writeNote(`It is called ${given.name} here: another account is already called ${name}.`);
    }
    return given.name;
  } catch (error) {
    if (!WorkbenchError.is(error) || error.code === 'aborted') {
      throw error;
    }
    writeNote(`It has no name here: ${error.message} Use its address.`);
    return undefined;
  }
}

async function initialData(
  file: string,
  { name, initial }: BuiltContract,
  given: string | undefined,
  names: Pick<StackTextOptions, 'accounts' | 'codes'>,
): Promise<{ data: Cell; isDescribed: boolean }> {
  const [
    storage,
    { readStorageText },
    { formsOf, initialLayout, skipsInit },
    { exampleOfLayout },
    { calledName, fieldsText },
  ] = await Promise.all([
    readStorageOf(file, name),
    import('../toolkit/contracts/layouts/readStorageText'),
    import('../toolkit/contracts/layouts/initialLayout'),
    import('../toolkit/contracts/layouts/exampleOfLayout'),
    import('../toolkit/contracts/layouts/layoutSet'),
  ]);
  const options = { ...names, readFile: (path: string) => readUserFile(pathHere(path), 'bocText') };
  const own = storage && initialLayout(storage, given);
  const fields = own?.layout.cells.flat() ?? [];
  if (given === undefined && own !== undefined && fields.length > 0) {
    const forms =
      storage === undefined || storage.set.initial !== undefined ? [own.layout] : formsOf(storage);
    throw dataMissing(
      name,
      forms
        .map(
          (form) =>
            (forms.length === 1 ? '' : `${calledName(form.name)} `) +
            `${fieldsText(form.cells.flat(), own.set)}`,
        )
        .join('; or '),
      exampleOfLayout(own.layout, own.set, 'alice'),
    );
  }
  if (given === undefined && own === undefined && initial !== undefined && initial.parameters !== '') {
    throw dataMissing(name, initial.parameters, initial.text);
  }
  if (storage !== undefined && given !== undefined && skipsInit(storage, given)) {
    writeNote(
      `! init() of ${name} does not run on this data, and its address is not that of fromInit. Give the arguments of init instead.`,
    );
  }
  const empty = own === undefined ? (initial?.text ?? 'b()') : '{}';
  return {
    data: readStorageText(given ?? empty, own, options),
    isDescribed: storage !== undefined || initial !== undefined,
  };
}

/** Nothing describes the contract's data, so what its get-methods make of it is the only sign that it is wrong. */
async function warnOfData(
  file: string,
  access: Access,
  { name, code, codeHash, data }: Deployment,
  isDefault: boolean,
): Promise<void> {
  const [{ tryInitialData }, { readProjectOf }, { silentLog }] = await Promise.all([
    import('../toolkit/workflows/tryInitialData'),
    import('./projectWith'),
    import('../toolkit/base/log'),
  ]);
  if (isDefault) {
    writeNote(
      `! ${name} is deployed with empty data, because nothing describes what it stores. ` +
        'If its code reads data, give it as a cell: --data "b(u32 0, addr @alice)".',
    );
  }
  const trial = { access, contracts: await readProjectOf(file), log: silentLog };
  const { failures } = await tryInitialData(trial, { code: code.toBoc().toString('base64'), codeHash }, data);
  failures.forEach((failure) => writeNote(`! ${failure}.`));
}

function dataMissing(name: string, parameters: string, form: string): WorkbenchError {
  return new WorkbenchError({
    code: 'argument-invalid',
    kind: 'input',
    message: `${name} needs initial data: ${parameters}.`,
    hint: `Add --data ${JSON.stringify(form)}`,
  });
}
