import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { GetMethodSignature } from '../toolkit/abi/getMethodSignature';
import { WorkbenchError } from '../toolkit/errors';
import type { StackTextOptions } from '../toolkit/stack/stackTextContext';
import type { StackValue } from '../toolkit/stack/stackValue';
import { localAccountNames } from './localAccounts';
import { addNetworkOptions, openAccess } from './network';
import { resolveNetwork } from '../toolkit/access/resolveNetwork';
import type { NetworkOptions } from './network';
import { writeJsonLine, writeNote, writeText } from './output';

interface RunOptions extends NetworkOptions {
  json?: true;
  types?: string;
}

/**
 * `run ADDRESS METHOD [ARG…]`: runs a get-method; the arguments, joined by blanks, are stack text.
 * `run FILE.toncall`: runs the calls of a call sheet and checks what they expect.
 */
export function registerRunCommand(program: Command): void {
  const command = program
    .command('run')
    .summary('run a get-method of a contract, or a call sheet')
    .usage('[options] <address> <method> [args...]\n       ton-workbench run [options] <file.toncall>')
    .description(
      'Runs a get-method of a contract and shows its exit code, gas and stack, decoded.\n\n' +
        'Arguments are typed values:\n' +
        '  42  -1  0x2a  1.5ton  true  null  addr EQ…  cell te6cc…  slice x{4A_}\n' +
        "  'str \"text\"'  'b(u32 7, addr EQ…)'  '[1, 2]' (tuple)  '(1, 2)' (list)\n\n" +
        'A call sheet (*.toncall) holds several calls and what is expected of them; --network overrides its networks. ' +
        'Types come from the sources and ABIs of the project around it, as in the editor; --types goes before them.',
    )
    .argument('<address>', 'the contract, in any form of address, or a *.toncall file')
    .argument('[method]', 'name of the get-method, or its number')
    .argument('[args...]', 'the arguments, as stack text')
    .option('--types <file>', 'source or ABI that declares the types: .tolk, .fc, .tact, .abi, .json, .ts')
    .option('--json', 'print each result as one JSON line');
  addNetworkOptions(command).action(
    async (target: string, method: string | undefined, args: string[], options: RunOptions) => {
      if (method === undefined && target.toLowerCase().endsWith('.toncall')) {
        const { runSheetFile } = await import('./runSheetFile');
        const isNetworkGiven = command.getOptionValueSource('network') === 'cli';
        await runSheetFile(target, { ...options, isNetworkGiven });
        return;
      }
      if (method === undefined) {
        throw new WorkbenchError({
          code: 'usage',
          kind: 'input',
          message: 'The name of the get-method is missing.',
          hint: 'Write run ADDRESS METHOD [ARG…], or run FILE.toncall.',
        });
      }
      await run(target, method, args.join(' ').trim(), options);
    },
  );
}

async function run(address: string, method: string, stackText: string, options: RunOptions): Promise<void> {
  const { network, preferredApi } = resolveNetwork(options.network);
  const [{ findAccount }, { runGetMethod }, { isSuccess }, { getMethodFailedError }] = await Promise.all([
    import('../toolkit/accounts/findAccount'),
    import('../toolkit/getMethods/runGetMethod'),
    import('../toolkit/getMethods/getMethodResult'),
    import('../toolkit/getMethods/getMethodErrors'),
  ]);
  const accounts = await localAccountNames(network);
  const signature = options.types === undefined ? undefined : await readSignature(options.types, method);
  const stack = await parseArguments(stackText, signature, {
    accounts,
    readFile: (path) => readFileSync(path),
  });
  if (signature === undefined && stack.length > 0) {
    await noteExtraArguments(method, stack.length);
  }
  const access = await openAccess(network, options);
  const result = await runGetMethod(
    access,
    { address: await findAccount(access, address, accounts), method, stack },
    { preferredApi },
  );
  if (options.json) {
    const { resultToJson } = await import('../toolkit/getMethods/resultToJson');
    writeJsonLine(resultToJson(result, signature));
  } else {
    const { describeGetMethodResult } = await import('../toolkit/getMethods/describeGetMethodResult');
    const names = new Map([...accounts].map(([name, raw]) => [raw, name]));
    writeText(describeGetMethodResult(result, { signature, accountName: (raw) => names.get(raw) }));
  }
  if (!isSuccess(result)) {
    throw getMethodFailedError(method, result.exitCode, result.exitMeaning);
  }
}

async function parseArguments(
  text: string,
  signature: GetMethodSignature | undefined,
  options: StackTextOptions,
): Promise<StackValue[]> {
  if (signature === undefined) {
    const { parseStackText } = await import('../toolkit/stack/parseStackText');
    return parseStackText(text, options);
  }
  const { parseTypedStack } = await import('../toolkit/abi/parseTypedStack');
  return parseTypedStack(text, signature.parameters, options).flatMap(({ values }) => values);
}

/**
 * A well-known get-method that was given more than it takes runs all the same: what it does not take stays below on the
 * stack. The editor, which asks for one argument after the other, never gets there; here a note says so.
 */
async function noteExtraArguments(method: string, given: number): Promise<void> {
  const [{ knownMethods }, { signatureText }] = await Promise.all([
    import('../toolkit/abi/knownInterfaces'),
    import('../toolkit/abi/getMethodSignature'),
  ]);
  const known = knownMethods(method);
  const [first] = known;
  if (first !== undefined && known.every((one) => one.method.parameters.length < given)) {
    writeNote(
      `${signatureText(first.method)} of a ${first.interfaceName} takes ` +
        `${countOf(first.method.parameters.length)}, not ${given}. The extra values stay on the stack, where most contracts ignore them.`,
    );
  }
}

function countOf(parameters: number): string {
  return parameters === 0 ? 'no arguments' : parameters === 1 ? 'one argument' : `${parameters} arguments`;
}

async function readSignature(file: string, method: string): Promise<GetMethodSignature> {
  const { readTypesFile } = await import('./runTypes');
  const signatures = await readTypesFile(file);
  const found = signatures.find(({ name }) => name === method);
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
