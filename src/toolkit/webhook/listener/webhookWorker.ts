import { parentPort, workerData } from 'node:worker_threads';
import { Redactor, createLog } from '../../base/log';
import type { RemoteCall } from '../../base/serviceThread';
import { serveCall, toPlainError } from '../../base/serviceThread';
import { systemClock } from '../../base/time';
import type { ListenerCore, ListenerMessage, WorkerStart } from './listenerCore';
import { openListener } from './listenerCore';

/** Deliveries are reported in batches, so that a flood of them does not flood the window. */
const batchMs = 20;

const port = parentPort;
if (port === null) {
  throw new Error("This file is the webhook listener's worker and cannot be run by itself.");
}
const post = (message: ListenerMessage): void => port.postMessage(message);
const start = workerData as WorkerStart;
const redactor = new Redactor();
start.secrets.forEach(({ value }) => redactor.add(value));

let batch: string[] = [];
const flush = (): void => {
  post({ type: 'recorded', items: batch });
  batch = [];
};

void begin();

async function begin(): Promise<void> {
  try {
    const listener = await openListener(start, {
      log: createLog((level, line) => post({ type: 'log', level, line }), redactor),
      onRecorded: (json) => {
        if (batch.push(json) === 1) {
          systemClock.after(batchMs, flush);
        }
      },
    });
    port?.on('message', (call: RemoteCall) => void serve(listener, call));
    const { url, port: number, problems } = listener;
    post({ type: 'started', url, port: number, problems });
  } catch (error) {
    post({ type: 'failed', error: toPlainError(error) });
  }
}

async function serve(listener: ListenerCore, call: RemoteCall): Promise<void> {
  const result = await serveCall(listener, call);
  if (call.method === 'close' && batch.length > 0) {
    flush();
  }
  post(result);
}
