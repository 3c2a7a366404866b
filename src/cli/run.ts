import type { Command } from 'commander';
import type { ContractDescription } from '../toolkit/contracts/abi/contractDescription';
import type { GetMethodSignature } from '../toolkit/contracts/abi/getMethodSignature';
import { WorkbenchError } from '../toolkit/base/errors';
import type { GetMethodResult } from '../toolkit/getMethods/getMethodResult';
import type { SummaryOptions } from '../toolkit/getMethods/summarizeResult';
import { readUserFile } from '../toolkit/base/readUserFile';
import { argumentError } from './argumentError';
import { codesInText } from './codesInText';
import { describeHere } from './describeHere';
import { reachedAccountNames } from './reachedAccountNames';
import type { NetworkOptions } from './networkOptions';
import { addNetworkOptions, openAccess } from './networkOptions';
import { addJsonOptions, networkHere, takesLinks } from './networkHere';
import { writeJsonLine, writeNote, writeText } from './output';
import { pathHere } from './surroundings';

interface RunOptions extends NetworkOptions {
  json?: true;
  types?: string;
  junit?: string;
}

/**
 * `run ADDRESS METHOD [ARG…]`: runs a get-method; the arguments, joined by spaces, are stack text. `run
 * FILE.toncall…`: runs the steps of call sheets and checks what they expect.
 */
export function registerRunCommand(program: Command): void {
  const command = program
    .command('run')
    .summary('run a get-method of a contract, or a call sheet')
    .usage('[options] <address> <method> [args...]\n       ton-workbench run [options] <file.toncall...>')
    .description(
      'Runs a get-method of a contract and shows its exit code, gas and stack, decoded.\n\n' +
        'Arguments are typed values:\n' +
        '  42  -1  0x2a  1.5ton  true  null  addr EQ…  cell te6cc…  slice x{4A_}\n' +
        "  'str \"text\"'  'b(u32 7, addr EQ…)'  '[1, 2]' (tuple)  '(1, 2)' (list)\n\n" +
        'A call sheet (*.toncall) has calls, messages, and deployments with their expected results; --network overrides ' +
        'its networks. Messages are sent on local networks only; --junit writes a report for CI. ' +
        'Types come from the sources and ABIs of the project around it, as in the editor; --types takes precedence.',
    )
    .argument('<address>', 'the contract: an address in any form, a name, or a domain; or *.toncall files')
    .argument('[method]', 'name of the get-method, or its number')
    .argument('[args...]', 'the arguments, as stack text')
    .option('--types <file>', 'source or ABI that declares the types: .tolk, .fc, .tact, .abi, .json, .ts')
    .option('--junit <file>', 'write the results of call sheets as JUnit XML');
  addJsonOptions(
    command,
    'print each result as one JSON line',
    async () => (await import('./runAnswers')).runAnswerSchema,
  );
  takesLinks(addNetworkOptions(command)).action(
    async (target: string, method: string | undefined, args: string[], options: RunOptions) => {
      const given = [target, ...(method === undefined ? [] : [method]), ...args];
      if (given.every(isCallSheet)) {
        const { runSheetFiles } = await import('./runSheetFiles');
        const isNetworkGiven = command.getOptionValueSource('network') === 'cli';
        await runSheetFiles(given, { ...options, isNetworkGiven });
        return;
      }
      if (isCallSheet(target)) {
        const other = given.find((one) => !isCallSheet(one));
        throw new WorkbenchError({
          code: 'usage',
          kind: 'input',
          message: `${JSON.stringify(other)} is not a call sheet, so it cannot follow one.`,
          hint: 'Their names end with .toncall.',
        });
      }
      if (options.junit !== undefined) {
        throw new WorkbenchError({
          code: 'usage',
          kind: 'input',
          message: '--junit is for call sheets.',
          hint: 'Write run FILE.toncall --junit report.xml.',
        });
      }
      if (method === undefined) {
        throw new WorkbenchError({
          code: 'usage',
          kind: 'input',
          message: 'The name of the get-method is missing.',
          hint: 'Write run ADDRESS METHOD [ARG…], or run FILE.toncall.',
        });
      }
      // Negative numbers are marked by a space.
      const words = args.map((one) => one.trim());
      await run(target, method, words.join(' '), options).catch((error: unknown) => {
        throw argumentError(error, words);
      });
    },
  );
}

/** Whether a file is a call sheet, by its name. */
export function isCallSheet(file: string): boolean {
  return file.toLowerCase().endsWith('.toncall');
}

async function run(address: string, method: string, stack: string, options: RunOptions): Promise<void> {
  const { network, preferredApi } = networkHere(options.network);
  const [
    { callContract },
    { isSuccess },
    { getMethodFailedError },
    { withExits },
    { methodNamed },
    { withDomains },
  ] = await Promise.all([
    import('../toolkit/workflows/callContract'),
    import('../toolkit/getMethods/getMethodResult'),
    import('../toolkit/getMethods/getMethodErrors'),
    import('../toolkit/getMethods/withExits'),
    import('../toolkit/contracts/abi/methodNamed'),
    import('../toolkit/accounts/findAccount'),
  ]);
  const signature = options.types === undefined ? undefined : await readSignature(options.types, method);
  const access = await openAccess(network, options);
  const accounts = await withDomains(access, stack, await reachedAccountNames(access));
  // Explicit types take precedence over those of the project around the working folder.
  const describe = describeHere(access);
  const described = (raw: string): Promise<ContractDescription | undefined> =>
    describe(raw).catch(() => undefined);
  const lookUp = async (raw: string): Promise<GetMethodSignature | undefined> => {
    const found = methodNamed(await described(raw), method)?.signature;
    // An interface that many contracts share is only a guess.
    return found?.origin === 'known interface' ? undefined : found;
  };
  const call = { access, address, method, stack, accounts, preferredApi, signature: signature ?? lookUp };
  for await (const event of callContract({
    ...call,
    codes: await codesInText(stack),
    readFile: (path) => readUserFile(pathHere(path), 'bocText'),
  })) {
    if (event.type === 'called') {
      if (event.note !== undefined) {
        writeNote(event.note);
      }
      continue;
    }
    const { result, words } = event.answer;
    const exits = isSuccess(result) ? undefined : await described(result.address);
    const told = withExits(result, exits);
    await printAnswer(told, { signature: words.signature, exits }, accounts, options);
    if (!isSuccess(result)) {
      throw getMethodFailedError(told);
    }
  }
}

async function printAnswer(
  result: GetMethodResult,
  words: Pick<SummaryOptions, 'signature' | 'exits'>,
  accounts: ReadonlyMap<string, string>,
  { json }: RunOptions,
): Promise<void> {
  if (json === true) {
    const { resultToJson } = await import('../toolkit/getMethods/resultToJson');
    writeJsonLine(resultToJson(result, words.signature));
    return;
  }
  const { describeGetMethodResult } = await import('../toolkit/getMethods/describeGetMethodResult');
  const names = new Map([...accounts].map(([name, raw]) => [raw, name]));
  writeText(describeGetMethodResult(result, { ...words, accountName: (raw) => names.get(raw) }));
}

async function readSignature(file: string, method: string): Promise<GetMethodSignature> {
  const [{ readTypesFile }, { signatureNamed }] = await Promise.all([
    import('./readGivenFile'),
    import('../toolkit/contracts/abi/methodNamed'),
  ]);
  const signatures = await readTypesFile(file);
  const found = signatureNamed(signatures, method);
  if (found === undefined) {
    throw new WorkbenchError({
      code: 'method-not-declared',
      kind: 'input',
      message: `${JSON.stringify(file)} declares no get-method ${method}.`,
      hint: `It declares: ${signatures.map(({ name }) => name).join(', ') || 'none'}.`,
    });
  }
  return found;
}
