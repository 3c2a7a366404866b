import type { Access } from '../access/createAccess';
import type { Log } from '../log';
import type { BlockMode } from './chain/blockTimer';
import type { ForkStatus } from './fork/forkPoint';

/** One of the wallets that a local network starts with. Worthless by design: its keys are shown to everybody. */
export interface LocalAccount {
  name: string;
  kind: 'v5r1' | 'v4r2';
  /** Raw, lower-case hex. */
  address: string;
  /**
   * Of a v5r1 wallet: where the same key has its wallet for a client that believes to be on the test network (its id is
   * part of the wallet's id, and so of the address). Funded alike, and called `<name>-testnet`.
   */
  testnetAddress?: string | undefined;
  /** 24 words, no password. */
  mnemonic: string;
  /** 32 bytes, hex. */
  publicKey: string;
  /** 64 bytes, hex. */
  secretKey: string;
}

/** A network to go on from. */
export interface ForkOptions {
  /** Reads that network, at its pace and with its key; used as long as the fork runs. */
  access: Access;
  /** Masterchain seqno to go on from; default: the newest, or the one that the state has. */
  seqno?: number | undefined;
}

/** What a new network begins with, where it is not the usual ten wallets with a million each. */
export interface WalletsWish {
  /** 24 words each, no password; whoever reaches the network can read them. */
  mnemonics?: readonly string[] | undefined;
  /** How many wallets; those beyond the mnemonics are derived from the first. */
  count?: number | undefined;
  /** Of each, nanocoins. */
  balance?: bigint | undefined;
}

export interface LocalnetOptions {
  /** The wallets of a new network; a state that is kept goes on with its own. */
  wallets?: WalletsWish | undefined;
  /** What control/dump has answered (JSON): a new network goes on from that state. */
  load?: string | undefined;
  /** 0 picks a free one. */
  port: number;
  /** Default 127.0.0.1. */
  host?: string | undefined;
  /** When the port is taken, take a free one instead of failing; `portChanged` says so. */
  portFallback?: boolean | undefined;
  /** Milliseconds between the first pending message and its block; default 20. */
  blockDelayMs?: number | undefined;
  /** Other than automatic: a block every so many milliseconds, or only by the control API. */
  mode?: { kind: 'interval'; every: number } | { kind: 'manual' } | undefined;
  /** Traces with more transactions are answered without them; default 4000. */
  maximumTraceTransactions?: number | undefined;
  /** Folder that keeps the state; in memory only without it. */
  stateDirectory?: string | undefined;
  /**
   * Goes on from a block of another network: its accounts, libraries and configuration are read when they are first needed
   * and kept with the state.
   */
  fork?: ForkOptions | undefined;
  /**
   * Origins of web pages that may use a fork, such as `https://app.example.org`. Pages of this machine always may; others
   * would read the forked network with its key. A network that is no fork answers every page.
   */
  allowedOrigins?: readonly string[] | undefined;
  log: Log;
  /** The built worker; default: localnetWorker.js at the top of the dist folder this code runs from. */
  workerUrl?: URL | undefined;
}

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

/** A running local network. */
export interface Localnet {
  /** Base URLs of the two APIs, without a trailing slash. */
  readonly v2: string;
  readonly v3: string;
  /** Base URL of the control API (control/controlCommands.ts). */
  readonly control: string;
  readonly port: number;
  /** The wished port was taken. */
  readonly portChanged: boolean;
  readonly accounts: readonly LocalAccount[];
  status(): LocalnetStatus;
  /** Called on each change. Returns how to stop that. */
  onStatus(listener: (status: LocalnetStatus) => void): () => void;
  close(): Promise<void>;
}
