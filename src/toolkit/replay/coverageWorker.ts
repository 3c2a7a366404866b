import { parentPort, workerData } from 'node:worker_threads';
import { createSandboxEmulator } from '../execution/emulator/createSandboxEmulator';
import type { SourceMap } from '../sourceMap/sourceMap';
import { serveCall } from '../base/serviceThread';
import type { RemoteCall } from '../base/serviceThread';
import type { CoverageFace } from './coverageThread';
import { coverGetMethod, coverReplay } from './coveredRun';

const port = parentPort;
if (port === null) {
  throw new Error('coverageWorker runs as a worker thread only');
}
const map = workerData as SourceMap;
const emulator = createSandboxEmulator();
const face: CoverageFace = {
  cover: async (inputs) =>
    coverReplay(inputs, await emulator, ({ codeHash }) =>
      Promise.resolve(codeHash === map.codeHash ? map : undefined),
    ),
  coverCall: async (inputs) => coverGetMethod(inputs, await emulator, map),
};
port.on('message', (call: RemoteCall) => {
  void serveCall<CoverageFace>(face, call).then((result) => port.postMessage(result));
});
