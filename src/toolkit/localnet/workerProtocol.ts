import type { WorkbenchErrorParameters } from '../errors';
import type { LogLevel } from '../log';
import type { BlockMode } from './records/blockMode';
import type { ForkAnswer, ForkQuestion } from './fork/forkQuestions';
import type { ForkWish } from './fork/forkSource';
import type { WalletsWish } from './localnet';
import type { LocalnetStatus } from './control/localnetStatus';
import type { LocalAccount } from './accounts/localAccount';

/** What the worker is started with (`workerData`). */
export interface WorkerSettings {
  port: number;
  host: string;
  portFallback: boolean;
  mode: BlockMode;
  stateDirectory: string | undefined;
  maximumTraceTransactions: number | undefined;
  /** Web pages of other sites that may use a fork. */
  allowedOrigins: readonly string[];
  /** The wallets of a new network, where they are not the usual ones. */
  wallets: WalletsWish | undefined;
  /** A dump (JSON) that a new network begins with. */
  load: string | undefined;
  /** Makes the network a fork; what it reads it asks for by `fork-question`. */
  fork: ForkWish | undefined;
  /** The worker before this one crashed. */
  afterCrash: boolean;
}

export type FromWorker =
  | { type: 'ready'; port: number; portChanged: boolean; accounts: readonly LocalAccount[] }
  | { type: 'failed'; error: WorkbenchErrorParameters }
  | { type: 'status'; status: LocalnetStatus }
  | { type: 'log'; level: LogLevel; line: string }
  | { type: 'fork-question'; id: number; question: ForkQuestion }
  | { type: 'closed' };

export type ToWorker = { type: 'close' } | { type: 'fork-answer'; id: number; answer: ForkAnswer };
