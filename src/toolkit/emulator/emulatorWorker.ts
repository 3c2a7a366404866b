import { parentPort } from 'node:worker_threads';
import { toWorkbenchError } from '../errors';
import type { Emulator, TickTockInput, TransactionInput } from './emulator';
import { createSandboxEmulator } from './createSandboxEmulator';
import type { EmulatorAnswer, EmulatorQuestion } from './workerEmulator';

const port = parentPort;
if (port === null) {
  throw new Error('emulatorWorker runs as a worker thread only');
}
const emulator = createSandboxEmulator();
port.on('message', (question: EmulatorQuestion) => void answer(question));

async function answer({ id, method, input }: EmulatorQuestion): Promise<void> {
  let reply: EmulatorAnswer;
  try {
    reply = { id, value: await run(await emulator, method, input) };
  } catch (error) {
    reply = { id, error: toWorkbenchError(error).message };
  }
  port?.postMessage(reply);
}

async function run(engine: Emulator, method: EmulatorQuestion['method'], input: unknown): Promise<unknown> {
  switch (method) {
    case 'version':
      return engine.version;
    case 'runTransaction':
      return engine.runTransaction(withBuffer(input as TransactionInput));
    case 'runTickTock':
      return engine.runTickTock(withBuffer(input as TickTockInput));
  }
}

/** A Buffer crosses threads as plain bytes, whose hex the emulator cannot ask for. */
function withBuffer<T extends { seed: Buffer }>(input: T): T {
  return { ...input, seed: Buffer.from(input.seed) };
}
