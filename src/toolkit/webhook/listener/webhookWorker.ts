import { workerData } from 'node:worker_threads';
import { Redactor } from '../../base/log';
import { serveCall } from '../../base/serviceThread';
import { systemClock } from '../../base/time';
import { runService } from '../../base/workerService';
import type { ListenerStarted, RecordedMessage, WorkerStart } from './listenerCore';
import { openListener } from './listenerCore';

/** Deliveries are reported in batches, so that a flood of them does not flood the window. */
const batchMs = 20;

const start = workerData as WorkerStart;
const redactor = new Redactor();
start.secrets.forEach(({ value }) => redactor.add(value));

void runService<ListenerStarted, RecordedMessage>(redactor, async ({ log, post }) => {
  let batch: string[] = [];
  const flush = (): void => {
    post({ type: 'recorded', items: batch });
    batch = [];
  };
  const listener = await openListener(start, {
    log,
    onRecorded: (json) => {
      if (batch.push(json) === 1) {
        systemClock.after(batchMs, flush);
      }
    },
  });
  const { url, port, problems } = listener;
  return {
    started: { url, port, problems },
    receive: async (call) => {
      const result = await serveCall(listener, call);
      if (call.method === 'close' && batch.length > 0) {
        flush();
      }
      post(result);
    },
  };
});
