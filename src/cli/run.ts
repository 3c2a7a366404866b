import type { Command } from 'commander';
import { addNetworkOptions, openAccess, resolveNetwork } from './network';
import type { NetworkOptions } from './network';
import { stopSignal, writeJsonLine, writeText } from './output';

/** `run ADDRESS METHOD [ARG…]`: runs a get-method; the arguments, joined by blanks, are stack text. */
export function registerRun(program: Command): void {
  const command = program
    .command('run')
    .summary('run a get-method of a contract')
    .description(
      'Runs a get-method of a contract and shows its exit code, gas and stack, decoded.\n' +
        'Arguments are typed values: 42  -1  0x2a  1.5ton  true  null  addr EQ…  cell te6cc…  slice x{4A_}\n' +
        "'str \"text\"'  'b(u32 7, addr EQ…)'  '[1, 2]' (tuple)  '(1, 2)' (list)",
    )
    .argument('<address>', 'the contract, in any form of address')
    .argument('<method>', 'name of the get-method, or its number')
    .argument('[args...]', 'the arguments, as stack text')
    .option('--json', 'print the result as one JSON line');
  addNetworkOptions(command).action(
    async (address: string, method: string, args: string[], options: RunOptions) => {
      await run(address, method, args.join(' ').trim(), options);
    },
  );
}

interface RunOptions extends NetworkOptions {
  json?: true;
}

async function run(address: string, method: string, stackText: string, options: RunOptions): Promise<void> {
  const { network, preferredApi } = resolveNetwork(options.network);
  const [{ parseStackText }, { runGetMethod }, { resultToJson }, { describeGetMethodResult }] =
    await Promise.all([
      import('../toolkit/stack/parseStackText'),
      import('../toolkit/getMethods/runGetMethod'),
      import('../toolkit/getMethods/resultToJson'),
      import('../toolkit/getMethods/describeGetMethodResult'),
    ]);
  const stack = parseStackText(stackText);
  const access = await openAccess(network, options);
  const result = await runGetMethod(
    access,
    { address, method, stack },
    { signal: stopSignal(), preferredApi },
  );
  if (options.json) {
    writeJsonLine(resultToJson(result));
  } else {
    writeText(describeGetMethodResult(result));
  }
  const [{ isSuccess }, { getMethodFailedError }] = await Promise.all([
    import('../toolkit/getMethods/getMethodResult'),
    import('../toolkit/getMethods/getMethodErrors'),
  ]);
  if (!isSuccess(result)) {
    throw getMethodFailedError(method, result.exitCode, result.exitMeaning);
  }
}
