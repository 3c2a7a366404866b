import type { Transaction } from '@ton/core';
import { Cell } from '@ton/core';
import type { ContractDescription } from '../contracts/abi/contractDescription';
import type { StorageLayout } from '../contracts/layouts/layoutSet';
import type { DecodedBody } from '../contracts/opcodes/decodedBody';
import type { RegisterHistory } from '../recording/followRegisters';
import { followRegisters } from '../recording/followRegisters';
import type { Recording } from '../recording/recording';
import { missingStepsNotes } from '../recording/recording';
import { exitText } from '../replay/replayReport';
import type { MappedSteps } from '../sourceMap/mapSteps';
import { refusedInRun } from '../sourceMap/thrownAt';
import { constantsOf } from './globalOf';
import { storageReader } from './storageReader';

/** A get-method that ran step by step. */
export interface MethodExecuted {
  recording: Recording;
  lines: MappedSteps | undefined;
  /** The block is that at whose end it ran; a test has none. */
  inputs: { data: string; seqno?: number | undefined };
}

/** What is known about the contract. */
export interface MethodKnowledge {
  /** `currentCounter on Counter` */
  title: string;
  exits: Pick<ContractDescription, 'standards' | 'errors'>;
  storage: StorageLayout | undefined;
}

/** A get-method as a debug session shows it. */
export function methodRun(
  { recording, lines, inputs }: MethodExecuted,
  { title, exits, storage }: MethodKnowledge,
): DebugRun {
  // What surrounds a get-method is the service's own; its globals are not set before it begins.
  const start = { c4: Cell.fromBase64(inputs.data), c5: Cell.EMPTY, c7: [{ type: 'unknown' }] as const };
  return {
    recording,
    lines,
    registers: followRegisters(recording, start),
    cause: `get-method ${title}${inputs.seqno === undefined ? '' : `, block ${inputs.seqno}`}`,
    exitText: (code) => exitText(code, exits),
    constants: constantsOf(exits.errors),
    readStorage: storageReader(storage),
    notes: [...missingStepsNotes(recording), ...(lines === undefined ? [] : refusedInRun(lines))],
  };
}

/** What a debug session shows: executions that have happened, or that a rehearsal has computed. */
export interface DebugProgram {
  /** The executions in order: the transactions of a trace, or one alone. Never empty. */
  threads: readonly DebugThread[];
  /** Index of the one to begin with. */
  first: number;
  /** The step of it to begin at, from 1 with those that the log has lost; undefined: where it failed, or its first line. */
  firstStep?: number | undefined;
  /**
   * The file on this machine that a source map names; undefined for a file of a library.
   */
  pathOf: (file: string) => string | undefined;
  /** The name of an account, if it has one. */
  accountName: (address: string) => string | undefined;
  /** Where the message that a transaction took from outside was written: `line 12 of vault.toncall`; by its hash. */
  writtenIn?: ((hash: string) => string | undefined) | undefined;
  /** Another transaction of the network by its hash, lowercase hex; undefined if none can be had. */
  open?: ((hash: string) => DebugThread | undefined) | undefined;
}

/** An execution of a program; it is recorded when the session gets there. */
export interface DebugThread {
  /** Whose it is, and what it does: `counter: Increase`. */
  name: string;
  /** Hash of its transaction, lowercase hex, if it is known before it is recorded. */
  hash?: string | undefined;
  /** The account it runs on, raw and lowercase, if it is known before it is recorded. */
  account?: string | undefined;
  /** What a command calls it, if that is not its hash: a file, or a record in one. */
  what?: string | undefined;
  /** @throws WorkbenchError if it cannot be recorded */
  load: (signal: AbortSignal) => Promise<DebugRun>;
}

/** A recorded execution. */
export interface DebugRun {
  /** Undefined if no code ran. */
  recording: Recording | undefined;
  /** Its source lines; undefined if no source compiles to its code. */
  lines: MappedSteps | undefined;
  registers: RegisterHistory | undefined;
  /** The message that caused it, as a sentence: `alice calls counter: Increase {by: 5}, 1 TON`. */
  cause: string;
  /** The step that caused such a failure, if it is certain: where it added the action. */
  failedStep?: number | undefined;
  /** Why nothing ran, or what failed afterward, such as an action; undefined if all went well. */
  failure?: string | undefined;
  /** An exit code with its name: `402 (ERR_OVER_LIMIT)`. */
  exitText: (code: number) => string;
  /** Constants of the source by their names, as far as they are known: those of its exit codes. */
  constants: ReadonlyMap<string, number>;
  /** Reads the contract's data by its layout; undefined if none is known, or if it does not fit. */
  readStorage: (data: Cell) => DecodedBody | undefined;
  /** What is uncertain about it, as sentences. */
  notes: readonly string[];
  /** What the project calls its contract, if it knows it. */
  contract?: string | undefined;
  /** The transaction that it is of; undefined for a get-method, and for a message that was not accepted. */
  transaction?: Transaction | undefined;
  /** An external message that was not accepted: where it was written, `Till.spec.ts:40`. */
  refused?: string | undefined;
}
