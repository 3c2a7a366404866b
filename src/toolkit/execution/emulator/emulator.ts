import type { Address, TupleItem } from '@ton/core';
import { createHash } from 'node:crypto';
import { WorkbenchError } from '../../base/errors';
import type { Recording } from '../../recording/recording';

/** The newest version of TVM and rules (parameter 8 of the configuration) that the engine implements. */
export const engineVersion = 12;

/** How much of the VM's work a run logs. `short` keeps the last 256 characters of the log. */
export type Verbosity =
  'short' | 'full' | 'full_location' | 'full_location_gas' | 'full_location_stack_verbose';

/** Its log tells every step with the stack before it; recordings are made of it. */
export const everyStep = 'full_location_stack_verbose' as const satisfies Verbosity;

/** Inputs of every transaction run. All BoCs are base64. */
export interface TransactionSurroundings {
  /** BoC of the configuration dictionary's root. */
  config: string;
  /** BoC of the library dictionary, or null without libraries. */
  libraries: string | null;
  /** BoC of the ShardAccount before the transaction. */
  shardAccount: string;
  /** Unix time in seconds; never before the account's last payment. */
  now: number;
  /** Requested logical time; raised if the account or the message is already later. */
  lt: bigint;
  /** 32 bytes, not all zero: the emulator replaces an all-zero seed with a random one. */
  seed: Buffer;
  /** Makes every signature check pass: "send as this wallet without its key". */
  ignoreSignatures?: boolean;
  /** The tuple of previous blocks that PREVMCBLOCKS and its siblings read, BoC; without it they find nothing. */
  previousBlocks?: string | undefined;
  verbosity?: Verbosity;
  /**
   * The outcome has its steps instead of the log, if the emulator runs in a thread of its own: they are read there. Needs
   * the verbosity `full_location_stack_verbose`.
   */
  record?: boolean;
}

export interface TransactionInput extends TransactionSurroundings {
  /** BoC of the in-message as received: its cells are embedded unchanged. */
  message: string;
}

export interface TickTockInput extends TransactionSurroundings {
  which: 'tick' | 'tock';
}

/** A transaction, or why there is none. An aborted or bounced transaction is a success. */
export type TransactionOutcome = ExecutedOutcome | FailedOutcome;

export interface ExecutedOutcome {
  success: true;
  /** BoC of the transaction, base64. */
  transaction: string;
  /** BoC of the ShardAccount afterward, base64. */
  shardAccount: string;
  vmLog: string;
  /** The steps, if they were asked for and are read by now. */
  recording?: Recording | undefined;
  /** BoC of the action list (c5), base64. */
  actions: string | null;
  debugOutput: DebugOutput;
}

export interface FailedOutcome {
  success: false;
  /** One sentence without a period. */
  error: string;
  /** Present if the contract ran and did not accept the message. The exit code may be 0. */
  vm?: { exitCode: number; log: string; steps: number; debugOutput: DebugOutput };
  /** The emulator failed: what the network would do is unknown. */
  engineFailed?: true;
}

/** Output of the TVM's debug instructions (stack dumps, strings), one text per instruction. */
export type DebugOutput = readonly string[];

export interface GetMethodInput {
  config: string;
  libraries: string | null;
  /** BoCs of code and data, base64. */
  code: string;
  data: string;
  methodId: number;
  stack: TupleItem[];
  address: Address;
  now: number;
  /** Nanocoins. */
  balance: bigint;
  verbosity?: Verbosity;
  /** 32 bytes, lowercase hex; default: zeros, which a get-method gets as they are. */
  seed?: string | undefined;
  /** Default: that of the public service. */
  gasLimit?: bigint | undefined;
  /** Amounts by the number of the currency, both in decimal. */
  extraCurrencies?: Readonly<Record<string, string>> | undefined;
  /** As in {@link TransactionSurroundings}. */
  previousBlocks?: string | undefined;
}

export interface GetMethodOutcome {
  exitCode: number;
  gasUsed: bigint;
  stack: TupleItem[];
  /** The same as the engine gave it: a VmStack, BoC in base64. Undefined if nothing ran. */
  stackBoc?: string | undefined;
  vmLog: string;
  debugOutput: DebugOutput;
  /** Hash (hex) of a library that the code needs and the network lacks. */
  missingLibrary: string | null;
}

export interface EmulatorVersion {
  /** Commit of the TON sources the emulator was built from. */
  commit: string;
  /** Its date, as the build states it. */
  date: string;
}

/** The TVM and the transaction executor. Stateless: the same input gives a byte-identical answer. */
export interface Emulator {
  readonly version: EmulatorVersion;
  runTransaction(input: TransactionInput): Promise<TransactionOutcome>;
  runTickTock(input: TickTockInput): Promise<TransactionOutcome>;
  /** @throws WorkbenchError `emulator-failed`, `get-method-result-too-deep` */
  runGetMethod(input: GetMethodInput): Promise<GetMethodOutcome>;
}

/** ShardAccount (BoC, base64) of an unused address: no account, hash and lt zero. */
export const absentAccount = 'te6ccgEBAgEALgABUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAFA';

/** The random seed of a masterchain block: deterministic, and never all zero (which the emulator would replace). */
export function blockSeed(seqno: number): Buffer {
  return createHash('sha256').update(`ton-workbench block seed ${seqno}`).digest();
}

/**
 * `emulator-failed`: the emulator itself failed, so nothing is known about what the network would do.
 * @param reason continues "The emulator could not execute this: "
 * @param cause the original error, for the log
 */
export function emulatorFailedError(reason: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'emulator-failed',
    kind: 'internal',
    message: `The emulator could not execute this: ${reason}.`,
    hint: 'This is a limitation of the emulator; the public network may execute it.',
    cause,
  });
}
