import { serializeTuple } from '@ton/core';
import { toWorkbenchError, WorkbenchError } from '../errors';
import { splitDebugOutput } from './splitDebugOutput';
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
import { emulatorFailedError } from './emulatorFailedError';
import { readStack } from './readStack';
import { canonicalHash } from '../address/canonicalHash';
import type { WasmTransaction } from './wasmEngine';
import { WasmEngine } from './wasmEngine';

/** Gas limit of a get-method on the public service. */
export const getMethodGasLimit = 1_000_000n;
const zeroSeed = '00'.repeat(32);

/**
 * The engine's own levels. `short` runs as `full`: the log holds the contract's debug output, and the engine's
 * shortest level keeps only its end (measured: 3 to 9 % slower for a wallet's transfer).
 */
const verbosities: Readonly<Record<Verbosity, number>> = {
  short: 1,
  full: 1,
  full_location: 2,
  full_location_gas: 3,
  full_location_stack_verbose: 5,
};
const shortLog = 256;

/** The engine's message when an account rejects an external message before its code runs. */
const turnedAway = /inbound external message rejected by account/;

/**
 * The emulator of @ton/sandbox. Runs are synchronous CPU work behind a promise: use it in a worker. There is one
 * engine per verbosity, because an engine reparses the configuration if either changes.
 */
export async function createSandboxEmulator(): Promise<Emulator> {
  const engines = new Map<number, WasmEngine>([[verbosities.short, await WasmEngine.create()]]);
  const use = async <T>(
    verbosity: Verbosity = 'short',
    work: (engine: WasmEngine, level: number) => T,
  ): Promise<T> => {
    const level = verbosities[verbosity];
    const engine = engines.get(level) ?? (await WasmEngine.create());
    engines.set(level, engine);
    try {
      return work(engine, level);
    } catch (error) {
      // After a trap the state of the instance's memory is unknown.
      engines.delete(level);
      throw error;
    }
  };
  const transact = async (
    input: TransactionSurroundings,
    message: string,
    more: object,
  ): Promise<TransactionOutcome> => {
    try {
      return await use(input.verbosity, (engine, verbosity) =>
        outcome(
          engine.transact({ ...input, verbosity, message }, { ...common(input), ...more }),
          input.verbosity,
        ),
      );
    } catch (error) {
      const { message: text } = toWorkbenchError(error);
      return { success: false, error: text.replace(/\.$/, ''), engineFailed: true };
    }
  };
  const { emulatorLibCommitHash, emulatorLibCommitDate } = await use('short', (engine) => engine.version());
  return {
    version: { commit: emulatorLibCommitHash, date: emulatorLibCommitDate },
    runTransaction: (input: TransactionInput) => transact(input, input.message, {}),
    runTickTock: (input: TickTockInput) =>
      transact(input, '', { is_tick_tock: true, is_tock: input.which === 'tock' }),
    runGetMethod: (input) =>
      use(input.verbosity, (engine, verbosity) => runGetMethod(engine, verbosity, input)),
  };
}

function common({
  now,
  lt,
  seed,
  ignoreSignatures = false,
  previousBlocks,
}: TransactionSurroundings): object {
  return {
    utime: now,
    lt: lt.toString(),
    rand_seed: seed.toString('hex'),
    ignore_chksig: ignoreSignatures,
    debug_enabled: true,
    ...(previousBlocks === undefined ? {} : { prev_blocks_info: previousBlocks }),
  };
}

function outcome(result: WasmTransaction, verbosity: Verbosity = 'short'): TransactionOutcome {
  const { vmLog, debugOutput } = splitDebugOutput(result.vm_log ?? '');
  const log = verbosity === 'short' ? vmLog.slice(-shortLog) : vmLog;
  if (result.success) {
    const { transaction, shard_account: shardAccount, actions } = result;
    return { success: true, transaction, shardAccount, vmLog: log, actions, debugOutput };
  }
  const { error, vm_log: ran, vm_exit_code: exitCode = 0 } = result;
  if (ran !== undefined) {
    const steps = vmLog.split('\n').filter((line) => line.startsWith('execute ')).length;
    return { success: false, error, vm: { exitCode, log, steps, debugOutput } };
  }
  return { success: false, error, ...(turnedAway.test(error) ? {} : { engineFailed: true }) };
}

function runGetMethod(engine: WasmEngine, verbosity: number, input: GetMethodInput): GetMethodOutcome {
  const parameters = {
    code: input.code,
    data: input.data,
    verbosity,
    libs: input.libraries ?? '',
    address: input.address.toString(),
    unixtime: input.now,
    balance: input.balance.toString(),
    rand_seed: input.seed ?? zeroSeed,
    gas_limit: (input.gasLimit ?? getMethodGasLimit).toString(),
    method_id: input.methodId,
    debug_enabled: true,
    ...(input.extraCurrencies === undefined ? {} : { extra_currencies: input.extraCurrencies }),
    ...(input.previousBlocks === undefined ? {} : { prev_blocks_info: input.previousBlocks }),
  };
  const stack = serializeTuple(input.stack).toBoc().toString('base64');
  const output = engine.runGetMethod(parameters, stack, input.config);
  if (!output.success) {
    throw /serialize stack/.test(output.error) ? tooDeepError() : emulatorFailedError(output.error);
  }
  return {
    exitCode: output.vm_exit_code,
    gasUsed: BigInt(output.gas_used),
    stack: readStack(output.stack),
    stackBoc: output.stack,
    ...splitDebugOutput(output.vm_log),
    missingLibrary: output.missing_library === null ? null : (canonicalHash(output.missing_library) ?? null),
  };
}

/** Cells nest at most 1,024 levels deep, and every list element takes one. */
function tooDeepError(): WorkbenchError {
  return new WorkbenchError({
    code: 'get-method-result-too-deep',
    kind: 'service',
    message:
      'The get-method ran, but its result is nested too deeply to return: lists can have at most 1,023 elements.',
    hint: 'Return a part of the list, or a dictionary.',
  });
}
