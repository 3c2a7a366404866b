import { workerData } from 'node:worker_threads';
import { createSandboxEmulator } from '../execution/emulator/createSandboxEmulator';
import type { SourceMap } from '../sourceMap/sourceMap';
import { serveFace } from '../base/workerService';
import type { CoverageFace } from './coverageThread';
import { coverGetMethod, coverReplay } from './coveredRun';

const map = workerData as SourceMap;
const emulator = createSandboxEmulator();
serveFace<CoverageFace>({
  cover: async (inputs) =>
    coverReplay(inputs, await emulator, ({ codeHash }) =>
      Promise.resolve(codeHash === map.codeHash ? map : undefined),
    ),
  coverCall: async (inputs) => coverGetMethod(inputs, await emulator, map),
});
