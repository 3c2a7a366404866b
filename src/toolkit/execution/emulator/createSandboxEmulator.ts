import type { TupleItem } from '@ton/core';
import { Cell, parseTuple, serializeTuple } from '@ton/core';
import { canonicalHash } from '../../address/canonicalAddress';
import type { Boc } from '../../cell/boc';
import { readBoc } from '../../cell/readBoc';
import { WorkbenchError, toWorkbenchError } from '../../base/errors';
import { limits } from '../../base/limits';
import type {
  DebugOutput,
  Emulator,
  GetMethodInput,
  GetMethodOutcome,
  TickTockInput,
  TransactionInput,
  TransactionOutcome,
  TransactionSurroundings,
  Verbosity,
} from './emulator';
import { emulatorFailedError } from './emulator';
import type { WasmTransaction } from './wasmEngine';
import { WasmEngine } from './wasmEngine';

/**
 * A get-method's result stack (block.tlb, VmStack), from a BoC in base64. Most hold only numbers, and reading those
 * from the bytes is several times faster than with @ton/core, which hashes every cell in JavaScript; it reads the
 * rest.
 */
export function readStack(base64: string): TupleItem[] {
  return readNumbers(readBoc(Buffer.from(base64, 'base64'))) ?? parseTuple(Cell.fromBase64(base64));
}

/** Bits before the first entry: the number of entries. */
const countBits = 24;

/** Undefined if there is anything but numbers and nulls. The top of the stack is in the root. */
function readNumbers(boc: Boc): TupleItem[] | undefined {
  let cell = boc.roots[0] ?? 0;
  const root = boc.data(cell);
  const count = ((root[0] ?? 0) << 16) | ((root[1] ?? 0) << 8) | (root[2] ?? 0);
  const items: TupleItem[] = [];
  for (let place = 0; place < count; place += 1) {
    const item = readNumber(boc.data(cell), place === 0 ? countBits / 8 : 0);
    if (item === undefined) {
      return undefined;
    }
    items.push(item);
    if (place < count - 1 || boc.referenceCount(cell) > 0) {
      cell = boc.reference(cell, 0);
    }
  }
  return items.reverse();
}

/** An entry that begins at byte `at`: vm_stk_null, vm_stk_tinyint, vm_stk_int, vm_stk_nan. */
function readNumber(data: Uint8Array, at: number): TupleItem | undefined {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  switch (bytes[at]) {
    case 0:
      return { type: 'null' };
    case 1:
      return { type: 'int', value: bytes.readBigInt64BE(at + 1) };
    case 2: {
      // Seven zero bits and the 257 of the number, so that the last bit of this byte is the sign.
      const second = bytes[at + 1] ?? 0;
      if (second > 1) {
        return second === 0xff ? { type: 'nan' } : undefined;
      }
      const magnitude = BigInt(`0x${bytes.toString('hex', at + 2, at + 34)}`);
      return { type: 'int', value: second === 1 ? magnitude - (1n << 256n) : magnitude };
    }
    default:
      return undefined;
  }
}

const mark = '#DEBUG#: ';
/** The log line after a debug instruction's output: the next instruction. */
const nextInstruction = 'execute ';
/** Characters of the VM's log that are kept: the last ones. */
const keptLog = 1024 * 1024;

/** Extracts the contract's output from the VM's log. A printed string may span lines. */
function splitDebugOutput(log: string): { vmLog: string; debugOutput: DebugOutput } {
  if (!log.includes(mark)) {
    return { vmLog: log, debugOutput: [] };
  }
  const rest: string[] = [];
  const printed: string[] = [];
  let isPrinting = false;
  for (const line of log.split('\n')) {
    if (line.startsWith(mark)) {
      isPrinting = true;
      printed.push(line.slice(mark.length).trimEnd());
    } else if (isPrinting && !line.startsWith(nextInstruction)) {
      printed.push(`${printed.pop() ?? ''}\n${line}`);
    } else {
      isPrinting = false;
      rest.push(line);
    }
  }
  return { vmLog: rest.join('\n'), debugOutput: bounded(printed, log.length >= keptLog) };
}

function bounded(printed: readonly string[], cut: boolean): DebugOutput {
  const kept: string[] = cut ? ['(earlier output is lost: the TVM log was full)'] : [];
  let size = 0;
  for (const [place, text] of printed.entries()) {
    size += text.length + 1;
    if (size > limits.debugOutput.most) {
      return [...kept, `(${(printed.length - place).toLocaleString('en-US')} more characters were left out)`];
    }
    kept.push(text);
  }
  return kept;
}

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
