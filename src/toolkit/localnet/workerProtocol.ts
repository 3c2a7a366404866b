import type { LogLevel } from '../base/log';
import type { PlainError, RemoteCall, RemoteResult } from '../base/serviceThread';
import type { LocalAccount } from '../accounts/localAccount';
import type { LocalnetStatus } from './control/localnetStatus';
import type { ForkWish } from './fork/fork';
import type { WalletsWish } from './localnet';
import type { BlockMode } from './records/blockInput';

/** What the worker is started with (`workerData`). */
export interface WorkerSettings {
  port: number;
  portFallback: boolean;
  mode: BlockMode;
  stateDirectory: string | undefined;
  maximumTraceTransactions: number | undefined;
  /** Other sites' web pages that may use a fork. */
  allowedOrigins: readonly string[];
  /** Serves v2 as the Python service did. */
  isClassicV2: boolean;
  /** The wallets of a new network, if not the usual ones. */
  wallets: WalletsWish | undefined;
  /** A dump (JSON) that a new network starts with. */
  load: string | undefined;
  /** Makes the network a fork; the worker requests remote data from the starting thread by calls. */
  fork: ForkWish | undefined;
  /** The previous worker crashed. */
  afterCrash: boolean;
}

export type FromWorker =
  | { type: 'ready'; port: number; portChanged: boolean; accounts: readonly LocalAccount[] }
  | { type: 'failed'; error: PlainError }
  | { type: 'status'; status: LocalnetStatus }
  | { type: 'log'; level: LogLevel; line: string }
  /** A call to the fork's source. */
  | RemoteCall
  | { type: 'closed' };

export type ToWorker = { type: 'close' } | RemoteResult;
