import { Cell, parseTuple } from '@ton/core';
import { Executor } from '@ton/sandbox/dist/executor/Executor';
import type { EmulationResult } from '@ton/sandbox/dist/executor/Executor';
import { bocAsCell } from './bocAsCell';
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
  const executor = async (verbosity: Verbosity = 'short'): Promise<Executor> => {
    let found = executors.get(verbosity);
    if (found === undefined) {
      found = await Executor.create();
      executors.set(verbosity, found);
    }
    return found;
  };
  const { commitHash, commitDate } = (await executor()).getVersion();
  return {
    version: { commit: commitHash, date: commitDate },
    runTransaction: async (input: TransactionInput) => {
      const message = bocAsCell(input.message);
      const runner = await executor(input.verbosity);
      return outcome(await runner.runTransaction({ ...common(input), message }));
    },
    runTickTock: async (input: TickTockInput) => {
      const runner = await executor(input.verbosity);
      return outcome(await runner.runTickTock({ ...common(input), which: input.which }));
    },
    runGetMethod: async (input) => runGetMethod(await executor(input.verbosity), input),
  };
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
    stack: parseTuple(Cell.fromBase64(output.stack)),
    vmLog: output.vm_log,
    missingLibrary: output.missing_library,
  };
}
