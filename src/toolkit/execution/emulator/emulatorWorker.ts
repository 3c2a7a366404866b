import { serveFace } from '../../base/workerService';
import type { TransactionOutcome, TransactionSurroundings } from './emulator';
import { createSandboxEmulator } from './createSandboxEmulator';
import { recordGetMethod } from './recordGetMethod';
import { withRecording } from './recordTransaction';
import { tryGetters } from './tryGetters';
import type { EmulatorFace } from './workerEmulator';

const emulator = createSandboxEmulator();
serveFace<EmulatorFace>(
  {
    version: async () => (await emulator).version,
    runTransaction: async (input) =>
      recorded(input, await (await emulator).runTransaction(withBuffer(input))),
    runTickTock: async (input) => recorded(input, await (await emulator).runTickTock(withBuffer(input))),
    tryGetters: async (trial) => tryGetters(await emulator, trial),
    recordGetMethod: async (run) => recordGetMethod(await emulator, run),
  },
  buffersOf,
);

/** Buffers cross threads as plain Uint8Arrays, which lack the hex conversion that the emulator uses. */
function withBuffer<T extends { seed: Buffer }>(input: T): T {
  return { ...input, seed: Buffer.from(input.seed) };
}

function recorded({ record }: TransactionSurroundings, outcome: TransactionOutcome): TransactionOutcome {
  return record === true ? withRecording(outcome) : outcome;
}

/** The memory of the steps in an answer: it moves to the other thread, instead of being copied. */
function buffersOf(value: unknown): ArrayBuffer[] {
  const { recording = {} } = (value ?? {}) as { recording?: object | undefined };
  return Object.values(recording).flatMap((column: unknown) =>
    ArrayBuffer.isView(column) && column.buffer instanceof ArrayBuffer ? [column.buffer] : [],
  );
}
