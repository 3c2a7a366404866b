import type { LocalnetStatus } from './control/localnetStatus';
import type { ForkOptions } from './fork/accessSource';
import type { LocalAccount } from '../accounts/localAccount';
import type { Log } from '../base/log';

/** What a new network starts with, if not the usual ten wallets with a million each. */
export interface WalletsWish {
  /** 24 words each, no password. Anyone who can reach the network can read them. */
  mnemonics?: readonly string[] | undefined;
  /** Number of wallets; those beyond the mnemonics are derived from the first. */
  count?: number | undefined;
  /** Nanocoins each. */
  balance?: bigint | undefined;
}

export interface LocalnetOptions {
  /** The wallets of a new network; a saved state keeps its own. */
  wallets?: WalletsWish | undefined;
  /** The result of control/dump (JSON); a new network continues from that state. */
  load?: string | undefined;
  /** 0 picks a free one. */
  port: number;
  /** If the port is in use, use a free one instead of failing; `portChanged` reports it. */
  portFallback?: boolean | undefined;
  /** Milliseconds between the first pending message and its block; default 20. */
  blockDelayMs?: number | undefined;
  /** Instead of automatic: a block at fixed intervals (milliseconds), or only through the control API. */
  mode?: { kind: 'interval'; every: number } | { kind: 'manual' } | undefined;
  /** Larger traces are returned without their transactions; default 4000. */
  maximumTraceTransactions?: number | undefined;
  /** Folder for the state; in memory only without it. */
  stateDirectory?: string | undefined;
  /**
   * Continues from a block of another network: its accounts, libraries, and configuration are read on first use and
   * stored with the state.
   */
  fork?: ForkOptions | undefined;
  /**
   * Origins of web pages that may use a fork, such as `https://app.example.org`. Pages of this machine always may;
   * others would read the forked network with its key. A network that is not a fork serves every page.
   */
  allowedOrigins?: readonly string[] | undefined;
  /** Serves v2 as the Python service (2.0) did; by default as the C++ service (2.1) does. */
  isClassicV2?: boolean | undefined;
  log: Log;
  /** The built worker; default: localnetWorker.js at the top of the dist folder this code runs from. */
  workerUrl?: URL | undefined;
}

/** A running local network. */
export interface Localnet {
  /** Base URLs of the two APIs, without a trailing slash. */
  readonly v2: string;
  readonly v3: string;
  /** Base URL of the control API (control/controlCommands.ts). */
  readonly control: string;
  readonly port: number;
  /** The requested port was in use. */
  readonly portChanged: boolean;
  readonly accounts: readonly LocalAccount[];
  status(): LocalnetStatus;
  /** Called on each change. Returns a function that removes the listener. */
  onStatus(listener: (status: LocalnetStatus) => void): () => void;
  close(): Promise<void>;
}
