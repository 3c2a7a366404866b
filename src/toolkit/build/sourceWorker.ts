import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { serveCall } from '../threads/remoteCalls';
import type { RemoteCall } from '../threads/remoteCalls';
import { compileSource } from './compileSource';
import type { CompileOptions } from './compileSource';
import { mapSource } from './mapSource';
import type { CompilerFace, CompileRequest } from './sourceCompiler';

const port = parentPort;
if (port === null) {
  throw new Error('sourceWorker runs as a worker thread only');
}
const optionsOf = ({ unsaved = {}, isTrusted }: CompileRequest): CompileOptions => ({
  isTrusted,
  read: (name) => unsaved[name] ?? readFileSync(name, 'utf8'),
});
const face: CompilerFace = {
  compile: (path, request) => compileSource(path, optionsOf(request)),
  map: (path, request) => mapSource(path, optionsOf(request)),
};
port.on('message', (call: RemoteCall) => {
  void serveCall<CompilerFace>(face, call).then((result) => port.postMessage(result));
});
