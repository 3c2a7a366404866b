import type { BlockMode } from '../records/blockMode';
import type { ForkStatus } from '../records/forkPoint';

/** `restarting`: the worker broke down and a new one takes up its state. */
export type LocalnetState = 'running' | 'restarting' | 'closed' | 'failed';

/** A message that the emulator could not execute. */
export interface FailedMessageStatus {
  /** Lower-case hex. */
  hash: string;
  /** Raw, lower-case hex; null for a message from outside. */
  source: string | null;
  destination: string;
  /** Nanocoins that wait with it; null for a message from outside. */
  value: string | null;
  /** The emulator's reason, for people. */
  error: string;
}

export interface LocalnetStatus {
  state: LocalnetState;
  /** Last masterchain seqno. */
  seqno: number;
  /** Messages that wait for a block: accepted ones from outside, and internal ones on their way. */
  pending: number;
  /** Nothing is left to do: nothing is pending, no change waits, no block is being made. */
  idle: boolean;
  /** Messages that the emulator could not execute. They keep their coins and wait to be tried again or dropped. */
  failed: readonly FailedMessageStatus[];
  /** Tick-tock accounts that the emulator could not call in the last block. */
  failedCalls?: readonly { address: string; which: 'tick' | 'tock'; error: string }[] | undefined;
  transactions: number;
  /** Seconds that the network's clock is ahead of the machine's. */
  ahead: number;
  /** How blocks are made. */
  mode: BlockMode;
  /** Which configuration is active, and which emulator runs. */
  configOrigin: string;
  emulator: string;
  /** Names that contracts were given when they were deployed: by raw address, lower-case hex. */
  names?: Readonly<Record<string, string>> | undefined;
  /** What is wrong with the kept state, in words: damage found at the start, or a disk that takes nothing more. */
  stateProblems?: readonly string[] | undefined;
  /** Of a fork: where from, and how much of it was read. */
  fork?: ForkStatus | undefined;
}
