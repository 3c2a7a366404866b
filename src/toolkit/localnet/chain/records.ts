import type { AccountFacts } from './readAccount';
import type { MessageKind } from './readMessage';

/** Hashes in records are base64, addresses raw with upper-case hex: what the indexed API prints. */

/** A masterchain block and the one basechain block it refers to. Both have the same seqno. */
export interface BlockRecord {
  seqno: number;
  /** Unix seconds. */
  genUtime: number;
  startLt: bigint;
  endLt: bigint;
  /** Synthetic: SHA-256 over our own description of the block (blockHashes.ts). */
  master: BlockHashes;
  shard: BlockHashes;
  /** Accounts whose state was set from outside. */
  changed: AccountRecord[];
  /** By lt; those of the masterchain's accounts belong to the masterchain block. */
  transactions: TransactionRecord[];
}

export interface BlockHashes {
  rootHash: string;
  fileHash: string;
}

/** An account's state at one moment. */
export interface AccountVersion {
  /** ShardAccount as BoC, its code replaced by an empty cell (packAccount.ts). */
  packed: Buffer;
  codeHash: string | null;
  /** Seqno of the block that brought it. */
  seqno: number;
  /** Null when the state was set from outside (genesis, control). */
  transaction: TransactionRecord | null;
}

export interface AccountRecord {
  address: string;
  /** ShardAccount as BoC in base64, what the emulator takes. */
  current: string;
  facts: AccountFacts;
  /** Oldest first. */
  versions: AccountVersion[];
  transactions: TransactionRecord[];
  /** Traces by their end, oldest first; an entry whose end is not the trace's own is outdated. */
  traces: TraceEntry[];
  /** BoCs in base64 of code and data, filled when first needed. */
  codeBoc?: string;
  dataBoc?: string;
}

export interface TransactionRecord {
  /** Place in the whole chain, from 0. */
  position: number;
  hash: string;
  account: AccountRecord;
  lt: bigint;
  now: number;
  block: BlockRecord;
  boc: Buffer;
  inMessage: MessageRecord | null;
  outMessages: MessageRecord[];
  trace: TraceRecord;
  before: AccountVersion | null;
  after: AccountVersion;
  ignoreSignatures: boolean;
}

export interface MessageRecord {
  hash: string;
  /** Normalised hash of an external-in message when it differs from `hash`. */
  normalised: string | null;
  kind: MessageKind;
  source: string | null;
  destination: string | null;
  createdLt: bigint;
  createdAt: number;
  opcode: number | null;
  bodyHash: string;
  producer: TransactionRecord | null;
  consumer: TransactionRecord | null;
}

/** All transactions that one root brought about. */
export interface TraceRecord {
  /** In order of execution; the first is the root and gives the trace its id. */
  transactions: TransactionRecord[];
  messages: number;
  /** Internal messages sent and not yet received. */
  pendingMessages: number;
  endLt: bigint;
}

export interface TraceEntry {
  trace: TraceRecord;
  endLt: bigint;
}
