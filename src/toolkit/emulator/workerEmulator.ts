import { Worker } from 'node:worker_threads';
import { toWorkbenchError } from '../errors';
import type { Emulator, EmulatorVersion } from './emulator';
import { emulatorFailedError } from './emulatorFailedError';

/** What can be asked across threads: everything there is text and bytes. Get-methods carry cells and stay out. */
type TransactionEmulator = Pick<Emulator, 'version' | 'runTransaction' | 'runTickTock'>;

/** A transaction emulator in a thread of its own, so that runs do not block the caller. */
export interface WorkerEmulator extends TransactionEmulator {
  close(): Promise<void>;
}

export interface EmulatorQuestion {
  id: number;
  method: 'version' | 'runTransaction' | 'runTickTock';
  input?: unknown;
}

export type EmulatorAnswer = { id: number; value: unknown } | { id: number; error: string };

const threadEnded = 'its thread has ended';

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/**
 * Starts the emulator in a worker thread; ready when its wasm is loaded. The thread does not keep the process alive.
 *
 * @param workerUrl the built worker; default: emulatorWorker.js at the top of the dist folder this code runs from
 */
export async function createWorkerEmulator(workerUrl = defaultUrl(import.meta.url)): Promise<WorkerEmulator> {
  const worker = new Worker(workerUrl);
  const waiting = new Map<number, Waiting>();
  let count = 0;
  const fail = (reason: string, cause?: unknown): void => {
    for (const { reject } of waiting.values()) {
      reject(emulatorFailedError(reason, cause));
    }
    waiting.clear();
  };
  worker.on('message', (answer: EmulatorAnswer) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('error' in answer) {
      asked?.reject(emulatorFailedError(answer.error));
    } else {
      asked?.resolve(answer.value);
    }
    if (waiting.size === 0) {
      worker.unref();
    }
  });
  worker.on('error', (error) => fail(toWorkbenchError(error).message.replace(/\.$/, ''), error));
  let hasEnded = false;
  worker.on('exit', () => {
    hasEnded = true;
    fail(threadEnded);
  });
  const ask = <T>(method: EmulatorQuestion['method'], input?: unknown): Promise<T> =>
    new Promise((resolve, reject) => {
      if (hasEnded) {
        reject(emulatorFailedError(threadEnded));
        return;
      }
      count++;
      waiting.set(count, { resolve: resolve as (value: unknown) => void, reject });
      worker.ref();
      worker.postMessage({ id: count, method, input } satisfies EmulatorQuestion);
    });
  return {
    version: await ask<EmulatorVersion>('version'),
    runTransaction: (input) => ask('runTransaction', input),
    runTickTock: (input) => ask('runTickTock', input),
    close: async () => {
      await worker.terminate();
    },
  };
}

function defaultUrl(moduleUrl: string): URL {
  const place = moduleUrl.lastIndexOf('/dist/');
  return new URL('emulatorWorker.js', place < 0 ? moduleUrl : moduleUrl.slice(0, place + '/dist/'.length));
}
