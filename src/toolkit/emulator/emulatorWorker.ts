import { parentPort } from 'node:worker_threads';
import { serveCall } from '../threads/remoteCalls';
import type { RemoteCall } from '../threads/remoteCalls';
import { createSandboxEmulator } from './createSandboxEmulator';
import { recordGetMethod } from './recordGetMethod';
import { tryGetters } from './tryGetters';
import type { EmulatorFace } from './workerEmulator';

const port = parentPort;
if (port === null) {
  throw new Error('emulatorWorker runs as a worker thread only');
}
const emulator = createSandboxEmulator();
const face: EmulatorFace = {
  version: async () => (await emulator).version,
  runTransaction: async (input) => (await emulator).runTransaction(withBuffer(input)),
  runTickTock: async (input) => (await emulator).runTickTock(withBuffer(input)),
  tryGetters: async (trial) => tryGetters(await emulator, trial),
  recordGetMethod: async (run) => recordGetMethod(await emulator, run),
};
port.on('message', (call: RemoteCall) => {
  void serveCall<EmulatorFace>(face, call).then((result) => port.postMessage(result));
});

/** Buffers cross threads as plain Uint8Arrays, which lack the hex conversion that the emulator uses. */
function withBuffer<T extends { seed: Buffer }>(input: T): T {
  return { ...input, seed: Buffer.from(input.seed) };
}
