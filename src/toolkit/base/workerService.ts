import type { MessagePort } from 'node:worker_threads';
import { parentPort } from 'node:worker_threads';
import type { Log, Redactor } from './log';
import { createLog } from './log';
import type { RemoteCall, ServiceMessage } from './serviceThread';
import { serveCall, toPlainError } from './serviceThread';

/**
 * The connection to the thread that started this one.
 * @throws Error in a process's main thread
 */
export function workerPort(): MessagePort {
  if (parentPort === null) {
    throw new Error('This file is a worker and cannot be run by itself.');
  }
  return parentPort;
}

/**
 * In a worker: runs the calls of the thread that started it (`CallThread`), on one object for its whole life.
 * @param moved the memory in a value that moves to the other thread, instead of being copied
 */
export function serveFace<Face>(
  face: Parameters<typeof serveCall<Face>>[0],
  moved: (value: unknown) => ArrayBuffer[] = () => [],
): void {
  const port = workerPort();
  port.on('message', (call: RemoteCall) => {
    void serveCall<Face>(face, call).then((result) =>
      port.postMessage(result, result.type === 'result' ? moved(result.value) : []),
    );
  });
}

/** What a service in a worker is started with. */
export interface WorkerConnection<Started, Own> {
  /** Its lines go to the thread that started this one. */
  log: Log;
  post: (message: ServiceMessage<Started> | Own) => void;
}

/**
 * In a worker: starts a service, and tells the thread that started it (`ServiceThread`) that it is up, or why not.
 * @param begin returns what is told once it is up, and what is done with the messages that come from then on
 */
export async function runService<Started, Own, Incoming = RemoteCall>(
  redactor: Redactor,
  begin: (
    connection: WorkerConnection<Started, Own>,
  ) => Promise<{ started: Started; receive: (message: Incoming) => unknown }>,
): Promise<void> {
  const port = workerPort();
  const post = (message: ServiceMessage<Started> | Own): void => port.postMessage(message);
  const log = createLog((level, line) => post({ type: 'log', level, line }), redactor);
  try {
    const { started, receive } = await begin({ log, post });
    port.on('message', (message: Incoming) => void receive(message));
    post({ type: 'started', ...started });
  } catch (error) {
    post({ type: 'failed', error: toPlainError(error) });
  }
}
