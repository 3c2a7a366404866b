import type { TransactionFacts } from '../../cell/light/bitCursor';
import type { LightCell } from '../../cell/light/lightCell';
import { writeLightCell } from '../../cell/light/lightCell';
import type { AccountFacts, MessageHead } from '../../cell/light/readMessage';
import { readAccount, readMessageHead } from '../../cell/light/readMessage';
import { unpackAccount } from './packAccount';

/** Number of accounts that keep their parsed state; others are parsed again on demand. */
const most = 4_096;

/** Something that can drop its parsed state. */
interface Reader {
  forget(): void;
}

/** Accounts that hold parsed states and BoCs besides their bytes. If there are too many, the oldest drop theirs. */
export class RecentAccounts {
  readonly #accounts = new Set<Reader>();

  note(account: Reader): void {
    this.#accounts.add(account);
    if (this.#accounts.size > most) {
      const [oldest] = this.#accounts;
      this.#accounts.delete(oldest as Reader);
      oldest?.forget();
    }
  }
}

/** Up to this length a list takes exactly the space of its items. */
const short = 8;

/**
 * The list with one more item: the same list if it is long, else a new one. A growing empty array reserves 17 slots,
 * and there are hundreds of thousands of accounts and traces with one or two items.
 */
export function append<T extends object>(list: T[], item: T): T[] {
  if (list.length < short) {
    return list.concat(item);
  }
  list.push(item);
  return list;
}

/** Bytes as a range of shared memory: a view for each would take more space than the bytes. */
class KeptBytes {
  #memory: Buffer;
  #start = 0;
  readonly #length: number;

  constructor(bytes: Buffer) {
    this.#memory = bytes;
    this.#length = bytes.length;
  }

  /** A view; do not change it. */
  protected get bytes(): Buffer {
    return this.#memory.subarray(this.#start, this.#start + this.#length);
  }

  get size(): number {
    return this.#length;
  }

  /** Copies the bytes to their final place; returns their end offset. */
  moveTo(memory: Buffer, start: number): number {
    this.bytes.copy(memory, start);
    this.#memory = memory;
    this.#start = start;
    return start + this.#length;
  }
}

/** Hashes in records are hex, addresses raw, both lowercase: wire formats exist only on the wire. */

/** A masterchain block and the basechain block it refers to. Both have the same seqno. */
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
  /** By lt; those of masterchain accounts belong to the masterchain block. */
  transactions: TransactionRecord[];
  /** Hashes of codes that no account had before. */
  newCodes: readonly string[];
  /** Messages that could not be executed when their turn came. */
  failed?: readonly FailedMessage[] | undefined;
  /** Hashes of failed messages that were dropped. */
  dropped?: readonly string[] | undefined;
}

export interface BlockHashes {
  rootHash: string;
  fileHash: string;
}

/** A message, with its contents and the transactions it connects. */
export interface MessageRecord extends MessageHead {
  producer: TransactionRecord | null;
  consumer: TransactionRecord | null;
}

/** All transactions caused by one root. */
export interface TraceRecord {
  /** In order of execution; the first is the root, whose hash is the trace's id. */
  transactions: TransactionRecord[];
  messages: number;
  /** Internal messages sent but not yet received. */
  pendingMessages: number;
  endLt: bigint;
}

export interface TraceEntry {
  trace: TraceRecord;
  endLt: bigint;
}

/** An account's state at one moment. */
export class AccountVersion extends KeptBytes {
  #transaction: TransactionRecord | null = null;

  constructor(
    packed: Buffer,
    readonly codeHash: string | null,
    /** Seqno of its block. */
    readonly seqno: number,
  ) {
    super(packed);
  }

  /** Null if the state was set from outside (genesis, control). */
  get transaction(): TransactionRecord | null {
    return this.#transaction;
  }

  /** The transaction that left this state. */
  leftBy(transaction: TransactionRecord): void {
    this.#transaction = transaction;
  }

  /** ShardAccount as BoC, its code replaced by an empty cell (packAccount.ts). */
  get packed(): Buffer {
    return this.bytes;
  }
}

/** An account with all its states; the latest is parsed on first use. */
export class AccountRecord {
  /** Oldest first. */
  versions: AccountVersion[] = [];
  /** Oldest first. */
  transactions: TransactionRecord[] = [];
  /** Traces by their end, oldest first; an entry whose end differs from its trace's is outdated. */
  traces: TraceEntry[] = [];
  /** BoCs in base64 of code and data, filled on first use. */
  codeBoc?: string | undefined;
  dataBoc?: string | undefined;
  #current: string | undefined;
  #facts: AccountFacts | undefined;

  constructor(
    readonly address: string,
    private readonly codes: ReadonlyMap<string, LightCell>,
    private readonly recent: RecentAccounts,
  ) {}

  /** ShardAccount as BoC in base64, as the emulator takes it. */
  get current(): string {
    if (this.#current === undefined) {
      this.#current = writeLightCell(this.#whole()).toString('base64');
      this.recent.note(this);
    }
    return this.#current;
  }

  get facts(): AccountFacts {
    if (this.#facts === undefined) {
      this.#facts = readAccount(this.#whole());
      this.recent.note(this);
    }
    return this.#facts;
  }

  /** The latest version's facts, if already parsed. */
  get knownFacts(): AccountFacts | undefined {
    return this.#facts;
  }

  /** Adds the latest version; its facts and its BoC (base64) if available. */
  add(version: AccountVersion, known?: { facts: AccountFacts; current: string }): void {
    if (this.versions.at(-1)?.codeHash !== version.codeHash) {
      this.codeBoc = undefined;
    }
    this.dataBoc = undefined;
    this.versions = append(this.versions, version);
    this.#facts = known?.facts;
    this.#current = known?.current;
    if (known !== undefined) {
      this.recent.note(this);
    }
  }

  addTransaction(transaction: TransactionRecord): void {
    this.transactions = append(this.transactions, transaction);
  }

  /** Adds an entry; replaces the previous one if it is of the same trace. */
  addTrace(entry: TraceEntry): void {
    if (this.traces.at(-1)?.trace === entry.trace) {
      this.traces.pop();
    }
    this.traces = append(this.traces, entry);
  }

  /** Drops everything that can be parsed again. */
  forget(): void {
    this.#facts = undefined;
    this.#current = undefined;
    this.codeBoc = undefined;
    this.dataBoc = undefined;
  }

  #whole(): LightCell {
    const { packed, codeHash } = this.versions.at(-1) as AccountVersion;
    return unpackAccount(packed, codeHash === null ? null : (this.codes.get(codeHash) ?? null));
  }
}

/** What identifies a transaction, read from its BoC once. */
export interface TransactionIdentity {
  /** Lowercase hex. */
  hash: string;
  lt: bigint;
  /** Unix seconds. */
  now: number;
}

const noMessages: readonly MessageRecord[] = [];

/** The position of a transaction. */
export interface TransactionPlace {
  /** Position in the whole chain, zero-based. */
  position: number;
  block: BlockRecord;
  account: AccountRecord;
  trace: TraceRecord;
  /** Null if the account never existed. */
  before: AccountVersion | null;
  after: AccountVersion;
}

/** One executed transaction. The ledger adds its messages. */
export class TransactionRecord extends KeptBytes {
  readonly hash: string;
  readonly lt: bigint;
  readonly now: number;
  readonly position: number;
  readonly block: BlockRecord;
  readonly account: AccountRecord;
  readonly trace: TraceRecord;
  readonly before: AccountVersion | null;
  readonly after: AccountVersion;
  inMessage: MessageRecord | null = null;
  outMessages: readonly MessageRecord[] = noMessages;

  constructor(
    { hash, lt, now }: TransactionIdentity,
    boc: Buffer,
    { position, block, account, trace, before, after }: TransactionPlace,
    readonly ignoreSignatures: boolean,
  ) {
    super(boc);
    this.hash = hash;
    this.lt = lt;
    this.now = now;
    this.position = position;
    this.block = block;
    this.account = account;
    this.trace = trace;
    this.before = before;
    this.after = after;
    after.leftBy(this);
  }

  get boc(): Buffer {
    return this.bytes;
  }
}

/** A message that the emulator could not execute. It keeps its coins and waits until it is retried or dropped. */
export interface FailedMessage {
  /** Lowercase hex. */
  hash: string;
  /** BoC, base64. */
  boc: string;
  /** Raw, in lowercase. */
  destination: string;
  ignoreSignatures?: boolean;
  /** The emulator's reason, for people. */
  error: string;
}

/** What the ledger needs from a transaction; the rest stays in its BoC. */
export interface TransactionHead extends TransactionIdentity {
  /** Null without a sender (tick-tock); only its hash if a transaction of the ledger sent it. */
  inMessage: MessageHead | { hash: string } | null;
  outMessages: readonly MessageHead[];
}

/** @param wasSent whether the ledger has the message with this hash, so that it need not be parsed again */
export function transactionHead(
  facts: TransactionFacts,
  wasSent: (hash: string) => boolean,
): TransactionHead {
  const { hash, lt, now, inMessage, outMessages } = facts;
  const isKnown = inMessage !== null && wasSent(inMessage.hexHash);
  return {
    hash,
    lt,
    now,
    inMessage: isKnown ? { hash: inMessage.hexHash } : inMessage && readMessageHead(inMessage),
    outMessages: outMessages.map(readMessageHead),
  };
}
