import { parentPort } from 'node:worker_threads';
import { serveCall } from '../threads/remoteCalls';
import type { RemoteCall } from '../threads/remoteCalls';
import { systemClock } from '../time';
import { withInputs } from './compileInputs';
import { listFolder, requestReader } from './compileRequest';
import type { CompileRequest } from './compileRequest';
import { compileSource } from './compileSource';
import type { CompileOptions } from './compileSource';
import { mapSource } from './mapSource';
import type { CompilerFace } from './sourceCompiler';

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
const face: CompilerFace = {
  compile: (path, request) =>
    withInputs(path, optionsOf(request), started, (options) => compileSource(path, options)),
  map: (path, request) =>
    withInputs(path, optionsOf(request), started, (options) => mapSource(path, options)),
};
port.on('message', (call: RemoteCall) => {
  void serveCall<CompilerFace>(face, call).then((result) => port.postMessage(result));
});
