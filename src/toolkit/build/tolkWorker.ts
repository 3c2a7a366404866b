import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { serveCall } from '../threads/remoteCalls';
import type { RemoteCall } from '../threads/remoteCalls';
import { compileTolk } from './compileTolk';
import type { TolkFace } from './tolkCompiler';

const port = parentPort;
if (port === null) {
  throw new Error('tolkWorker runs as a worker thread only');
}
const face: TolkFace = {
  compile: (path, unsaved) => compileTolk(path, (name) => unsaved[name] ?? readFileSync(name, 'utf8')),
};
port.on('message', (call: RemoteCall) => {
  void serveCall<TolkFace>(face, call).then((result) => port.postMessage(result));
});
