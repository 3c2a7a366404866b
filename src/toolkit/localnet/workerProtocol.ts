import type { LogLevel } from '../log';
import type { LocalnetStatus } from './localnet';

/** What the worker is started with (`workerData`). */
export interface WorkerSettings {
  port: number;
  host: string;
  portFallback: boolean;
  blockDelayMs: number;
}

export type FromWorker =
  | { type: 'ready'; port: number; portChanged: boolean }
  | { type: 'failed'; code: 'port-taken' | 'other'; message: string }
  | { type: 'status'; status: LocalnetStatus }
  | { type: 'log'; level: LogLevel; line: string }
  | { type: 'closed' };

export type ToWorker = { type: 'close' };
