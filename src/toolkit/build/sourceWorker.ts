import { parentPort } from 'node:worker_threads';
import { serveCall } from '../base/serviceThread';
import type { RemoteCall } from '../base/serviceThread';
import { systemClock } from '../base/time';
import { compileWithActon, mapWithActon } from './actonCompiler';
import { withInputs } from './compileInputs';
import { listFolder, requestReader } from './compileRequest';
import type { CompileRequest } from './compileRequest';
import { compileSource } from './compileSource';
import type { CompileOptions } from './compileSource';
import { mapSource } from './mapSource';
import { isForActon } from './projectCompiler';
import type { CompilerFace, RunningProgram } from './sourceCompiler';

const port = parentPort;
if (port === null) {
  throw new Error('sourceWorker runs as a worker thread only');
}
const started = systemClock.now();
const optionsOf = (request: CompileRequest): CompileOptions => ({
  isTrusted: request.isTrusted,
  read: requestReader(request),
  list: listFolder,
});
const tellRunning = (running: number | undefined): void =>
  port.postMessage({ running } satisfies RunningProgram);
const face: CompilerFace = {
  compile: async (path, request) =>
    isForActon(path, request)
      ? { result: await compileWithActon(path, request, tellRunning), inputs: undefined }
      : withInputs(path, optionsOf(request), started, (options) => compileSource(path, options)),
  map: async (path, request) =>
    isForActon(path, request)
      ? { result: await mapWithActon(path, request, tellRunning), inputs: undefined }
      : withInputs(path, optionsOf(request), started, (options) => mapSource(path, options)),
};
port.on('message', (call: RemoteCall) => {
  void serveCall<CompilerFace>(face, call).then((result) => port.postMessage(result));
});
