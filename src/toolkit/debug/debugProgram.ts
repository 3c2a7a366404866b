import type { Cell } from '@ton/core';
import type { Recording } from '../recording/recording';
import type { RegisterHistory } from '../recording/followRegisters';
import type { DecodedBody } from '../opcodes/decodedBody';
import type { MappedSteps } from '../sourceMap/mapSteps';

/** What a debug session shows: executions that have happened, or that a rehearsal has computed. */
export interface DebugProgram {
  /** The executions in order: the transactions of a trace, or one alone. Never empty. */
  threads: readonly DebugThread[];
  /** Index of the one to begin with. */
  first: number;
  /**
   * The file on this machine that a source map names; undefined for a file of a library.
   */
  pathOf: (file: string) => string | undefined;
  /** The name of an account, if it has one. */
  accountName: (address: string) => string | undefined;
}

/** An execution of a program; it is recorded when the session gets there. */
export interface DebugThread {
  /** Whose it is, and what it does: `counter: Increase`. */
  name: string;
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
}
