import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { serveCall } from '../threads/remoteCalls';
import type { RemoteCall } from '../threads/remoteCalls';
import { compileSource } from './compileSource';
import type { CompilerFace } from './sourceCompiler';

const port = parentPort;
if (port === null) {
  throw new Error('sourceWorker runs as a worker thread only');
}
const face: CompilerFace = {
  compile: (path, { unsaved = {}, isTrusted }) =>
    compileSource(path, { isTrusted, read: (name) => unsaved[name] ?? readFileSync(name, 'utf8') }),
};
port.on('message', (call: RemoteCall) => {
  void serveCall<CompilerFace>(face, call).then((result) => port.postMessage(result));
});
