import { Worker } from 'node:worker_threads';
import { WorkbenchError, toWorkbenchError } from '../../base/errors';
import { CallThread, builtWorker } from '../../base/serviceThread';
import type { Emulator, EmulatorVersion } from './emulator';
import { emulatorFailedError } from './emulator';
import type { GetMethodRun, RecordedGetMethod } from './recordGetMethod';

/** What is available across threads: everything there is text and bytes. A get-method's stack has cells, so it runs there only in other forms. */
type TransactionEmulator = Pick<Emulator, 'version' | 'runTransaction' | 'runTickTock'>;

/** Code and data of a contract that is not deployed yet. */
export interface GetterTrial {
  /** The configuration in the form of getConfigAll: a BoC in base64. */
  config: string;
  /** BoCs in base64. */
  code: string;
  data: string;
  /** Raw. */
  address: string;
  /** Unix seconds. */
  now: number;
  methodIds: readonly number[];
}

/** A transaction emulator in a worker thread, so that runs do not block the caller. */
export interface WorkerEmulator extends TransactionEmulator {
  /** Runs get-methods without arguments and returns their exit codes, in the same order. */
  tryGetters(trial: GetterTrial): Promise<number[]>;
  /** Runs a get-method and records its steps, all in the thread. */
  recordGetMethod(run: GetMethodRun): Promise<RecordedGetMethod>;
  close(): Promise<void>;
}

/** The thread's answers. */
export interface EmulatorFace extends Pick<Emulator, 'runTransaction' | 'runTickTock'> {
  version(): Promise<EmulatorVersion>;
  tryGetters(trial: GetterTrial): Promise<number[]>;
  recordGetMethod(run: GetMethodRun): Promise<RecordedGetMethod>;
}

/**
 * Starts the emulator in a worker thread; resolves once its wasm is loaded. The thread does not keep the process
 * alive.
 */
export async function createWorkerEmulator(): Promise<WorkerEmulator> {
  const worker = new Worker(builtWorker('emulatorWorker', import.meta.url));
  const thread = new CallThread<EmulatorFace>(worker, { endedError: emulatorEndedError });
  const { calls } = thread;
  const asFailure = (error: unknown): never => {
    throw failed(error);
  };
  return {
    version: await calls.call('version').catch(asFailure),
    runTransaction: (input) => calls.call('runTransaction', input).catch(asFailure),
    runTickTock: (input) => calls.call('runTickTock', input).catch(asFailure),
    tryGetters: (trial) => calls.call('tryGetters', trial).catch(asFailure),
    recordGetMethod: (run) => calls.call('recordGetMethod', run).catch(asFailure),
    close: () => thread.end(emulatorEndedError()),
  };
}

/** Anything that fails in the thread is the emulator's failure. */
function failed(error: unknown): WorkbenchError {
  return WorkbenchError.is(error, 'emulator-failed') ? error : emulatorEndedError(error);
}

/** @param cause undefined if the thread ended without an error */
export function emulatorEndedError(cause?: unknown): WorkbenchError {
  return cause === undefined
    ? emulatorFailedError('its thread has ended')
    : emulatorFailedError(toWorkbenchError(cause).message.replace(/\.$/, ''), cause);
}
