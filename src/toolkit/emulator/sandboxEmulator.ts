import { Executor } from '@ton/sandbox/dist/executor/Executor';
import type { EmulationResult } from '@ton/sandbox/dist/executor/Executor';
import { bocAsCell } from './bocAsCell';
import { readStack } from './readStack';
import type {
  Emulator,
  GetMethodInput,
  GetMethodOutcome,
  TransactionInput,
  TransactionOutcome,
  TransactionSurroundings,
  TickTockInput,
  Verbosity,
} from './emulator';

/** Gas of a get-method on the public service. */
const getMethodGasLimit = 1_000_000n;
const zeroSeed = Buffer.alloc(32);

/**
 * The emulator of @ton/sandbox. Runs are synchronous CPU work behind a promise: use it in a worker.
 * There is one Executor per verbosity, because an Executor parses the configuration again when either changes.
 */
export async function createSandboxEmulator(): Promise<Emulator> {
  const executors = new Map<Verbosity, Executor>([['short', await Executor.create()]]);
  const use = async <T>(
    verbosity: Verbosity = 'short',
    work: (executor: Executor) => Promise<T>,
  ): Promise<T> => {
    const executor = executors.get(verbosity) ?? (await Executor.create());
    executors.set(verbosity, executor);
    try {
      return await work(executor);
    } catch (error) {
      // After a trap (a cell tree too deep for its stack, for example) the instance's memory is in no known state.
      executors.delete(verbosity);
      throw error;
    }
  };
  const { commitHash, commitDate } = await use('short', (executor) => Promise.resolve(executor.getVersion()));
  return {
    version: { commit: commitHash, date: commitDate },
    runTransaction: (input: TransactionInput) =>
      orFailure(() =>
        use(input.verbosity, (executor) =>
          executor.runTransaction({ ...common(input), message: bocAsCell(input.message) }),
        ),
      ),
    runTickTock: (input: TickTockInput) =>
      orFailure(() =>
        use(input.verbosity, (executor) => executor.runTickTock({ ...common(input), which: input.which })),
      ),
    runGetMethod: (input) => use(input.verbosity, (executor) => runGetMethod(executor, input)),
  };
}

/** A run in which the emulator itself broke down has no transaction. */
async function orFailure(run: () => Promise<EmulationResult>): Promise<TransactionOutcome> {
  try {
    return outcome(await run());
  } catch (error) {
    return {
      success: false,
      error: `the emulator failed: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

type CommonArguments = Omit<Parameters<Executor['runTickTock']>[0], 'which'>;

function common(input: TransactionSurroundings): CommonArguments {
  return {
    config: input.config,
    libs: input.libraries === null ? null : bocAsCell(input.libraries),
    verbosity: input.verbosity ?? 'short',
    shardAccount: input.shardAccount,
    now: input.now,
    lt: input.lt,
    randomSeed: input.seed,
    ignoreChksig: input.ignoreSignatures ?? false,
    debugEnabled: true,
  };
}

function outcome({ result }: EmulationResult): TransactionOutcome {
  if (result.success) {
    const { transaction, shardAccount, vmLog, actions } = result;
    return { success: true, transaction, shardAccount, vmLog, actions };
  }
  const vm = result.vmResults;
  return {
    success: false,
    error: result.error,
    ...(vm === undefined ? {} : { vm: { exitCode: vm.vmExitCode, log: vm.vmLog } }),
  };
}

async function runGetMethod(runner: Executor, input: GetMethodInput): Promise<GetMethodOutcome> {
  const { output } = await runner.runGetMethod({
    code: bocAsCell(input.code),
    data: bocAsCell(input.data),
    methodId: input.methodId,
    stack: input.stack,
    config: input.config,
    verbosity: input.verbosity ?? 'short',
    ...(input.libraries === null ? {} : { libs: bocAsCell(input.libraries) }),
    address: input.address,
    unixTime: input.now,
    balance: input.balance,
    randomSeed: zeroSeed,
    gasLimit: input.gasLimit ?? getMethodGasLimit,
    debugEnabled: true,
    ...(input.extraCurrencies === undefined ? {} : { extraCurrency: input.extraCurrencies }),
  });
  if (!output.success) {
    throw new Error(`The emulator could not run the get-method: ${output.error}`);
  }
  return {
    exitCode: output.vm_exit_code,
    gasUsed: BigInt(output.gas_used),
    stack: readStack(output.stack),
    vmLog: output.vm_log,
    missingLibrary: output.missing_library,
  };
}
