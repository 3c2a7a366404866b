import type { AccountRecord } from './accountRecord';
import type { AccountVersion } from './accountVersion';
import { KeptBytes } from './keptBytes';
import type { BlockRecord, MessageRecord, TraceRecord } from './records';

/** What a transaction's BoC says of itself, read once. */
export interface TransactionIdentity {
  /** Base64. */
  hash: string;
  lt: bigint;
  /** Unix seconds. */
  now: number;
}

/** One executed transaction. The ledger fills in what it is connected with. */
export class TransactionRecord extends KeptBytes {
  readonly hash: string;
  readonly lt: bigint;
  readonly now: number;
  account!: AccountRecord;
  inMessage: MessageRecord | null = null;
  outMessages: readonly MessageRecord[] = [];
  trace!: TraceRecord;
  after!: AccountVersion;

  constructor(
    { hash, lt, now }: TransactionIdentity,
    boc: Buffer,
    /** Place in the whole chain, from 0. */
    readonly position: number,
    readonly block: BlockRecord,
    readonly before: AccountVersion | null,
    readonly ignoreSignatures: boolean,
  ) {
    super(boc);
    this.hash = hash;
    this.lt = lt;
    this.now = now;
  }

  get boc(): Buffer {
    return this.bytes;
  }
}
