import type { WorkbenchErrorParameters } from '../errors';
import type { LogLevel } from '../log';
import type { BlockMode } from './chain/localChain';
import type { LocalnetStatus } from './localnet';

/** What the worker is started with (`workerData`). */
export interface WorkerSettings {
  port: number;
  host: string;
  portFallback: boolean;
  mode: BlockMode;
  stateDirectory: string | undefined;
  maximumTraceTransactions: number | undefined;
  /** The worker before this one crashed. */
  afterCrash: boolean;
}

export type FromWorker =
  | { type: 'ready'; port: number; portChanged: boolean }
  | { type: 'failed'; error: WorkbenchErrorParameters }
  | { type: 'status'; status: LocalnetStatus }
  | { type: 'log'; level: LogLevel; line: string }
  | { type: 'closed' };

export type ToWorker =
  | { type: 'close' }
  /** For tests: breaks down as a fault of ours would. */
  | { type: 'crash' };
