/**
 * How a transaction ended: `failed` was at least partly rolled back, `partial` skipped actions, `notRun` ran
 * no code.
 */
export type TransactionOutcome = 'ok' | 'notRun' | 'failed' | 'partial' | 'unknown';

/** The message that caused a transaction. */
export interface TraceMessage {
  /** `transfer`, `jetton_transfer`, an opcode if it is unknown, or `external message`. */
  readonly name: string;
  /** Raw, lowercase; undefined for an external message. */
  readonly source: string | undefined;
  readonly destination: string | undefined;
  /** Nanocoins; 0 for an external message. */
  readonly value: bigint;
  /** The comment it carries, also in a jetton transfer. Written by the sender, so do not trust it. */
  readonly comment: string | undefined;
  readonly bounced: boolean;
}

/** One step of a trace: a transaction, or a message that has none yet. */
export interface TraceStep {
  /** Lowercase hex; undefined for a message without a transaction. */
  readonly hash: string | undefined;
  /** Raw, lowercase. */
  readonly account: string | undefined;
  readonly outcome: TransactionOutcome;
  /** Exit code of the compute phase. */
  readonly exitCode: number | undefined;
  readonly message: TraceMessage | undefined;
  /** Index in `steps` of the step that sent the message. */
  readonly parent: number | undefined;
}

/** The changes for one account. */
export interface TraceMoney {
  /** Raw, lowercase. */
  readonly account: string;
  /** Nanocoins. */
  readonly coins: bigint;
  /** By address of the jetton's master, in base units. */
  readonly jettons: ReadonlyMap<string, bigint>;
}

/** What happened after one message. */
export interface Trace {
  /** Hash of the first transaction, lowercase hex. */
  readonly id: string | undefined;
  /** `complete`: nothing more will happen. */
  readonly state: 'complete' | 'pending' | 'broken' | (string & {});
  /** Whether nothing failed. */
  readonly succeeded: boolean;
  /** Why it failed, in one sentence. */
  readonly verdict: string | undefined;
  /** In depth-first order. */
  readonly steps: readonly TraceStep[];
  readonly money: readonly TraceMoney[];
  /** All fees, nanocoins. */
  readonly fees: bigint;
  /** The trace as printed by the command line: actions, tree, money. */
  toText(): string;
  /** The trace as a sequence diagram in Mermaid. */
  toMermaid(): string;
  /** The page of the trace as one HTML file that opens anywhere, offline: its picture, sequence, money, and details. */
  toHtml(): Promise<string>;
}

/** How to word traces. */
export interface TraceWords {
  /** Your names for accounts: name to address in any usual form. */
  names?: Readonly<Record<string, string>> | undefined;
}
