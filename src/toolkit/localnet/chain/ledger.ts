import type { TransactionFacts } from '../../cell/light/bitCursor';
import { readTransaction } from '../../cell/light/bitCursor';
import { readLightCell } from '../../cell/light/lightCell';
import type { AccountFacts } from '../../cell/light/readMessage';
import { isMasterchain, readAccount } from '../../cell/light/readMessage';
import { absentAccount } from '../../execution/emulator/emulator';
import type { ExecutedTransaction } from '../../execution/encodeRun';
import { nextStartLt } from '../../execution/cascade';
import { mapInTurns } from '../../base/turns';
import type { AccountChange, BlockInput, KeptTransaction, LedgerBase } from '../records/blockInput';
import { unpackAccount } from '../records/packAccount';
import type {
  AccountRecord,
  AccountVersion,
  BlockRecord,
  FailedMessage,
  MessageRecord,
  TraceEntry,
  TraceRecord,
  TransactionHead,
} from '../records/records';
import { TransactionRecord, append, transactionHead } from '../records/records';
import { AccountIndex } from './accountIndex';
import type { BlockContents } from './blockHashes';
import { blockHashes } from './blockHashes';
import { DebugBook } from './debugBook';
import { MessageIndex } from './messageIndex';
import { packBytes } from './packBytes';

const noCodes: readonly string[] = [];

/** The whole history, indexed. Has no clock, queue, or emulator: blocks go in, answers come out. */
export class Ledger {
  readonly blocks: BlockRecord[] = [];
  readonly transactions: TransactionRecord[] = [];
  readonly #states = new AccountIndex();
  readonly #messages = new MessageIndex();
  readonly accounts = this.#states.accounts;
  /** Traces by their end, oldest first; an entry whose end differs from its trace's is outdated. */
  readonly traces: TraceEntry[] = [];
  /** Traces with undelivered messages. */
  readonly openTraces = new Set<TraceRecord>();
  /** Failed messages waiting, by hash. */
  readonly failed = new Map<string, FailedMessage>();
  readonly #dropped = new Set<string>();
  readonly debug = new DebugBook();
  readonly codes = this.#states.codes;
  /** Internal messages, by creation lt. */
  readonly sentMessages = this.#messages.sent;
  /** External messages, in order of execution. */
  readonly externalMessages = this.#messages.external;
  readonly #blocksByHash = new Map<string, BlockRecord>();
  readonly #transactionsByHash = new Map<string, TransactionRecord>();

  constructor(readonly base: LedgerBase = { seqno: 0, genUtime: 0, endLt: 0n }) {}

  /** Accounts that the masterchain calls in every block. */
  get tickTockAccounts(): ReadonlySet<AccountRecord> {
    return this.#states.tickTock;
  }

  /** Accounts that carry libraries. */
  get libraryAccounts(): ReadonlySet<AccountRecord> {
    return this.#states.withLibraries;
  }

  get last(): BlockRecord {
    return this.blocks[this.blocks.length - 1] as BlockRecord;
  }

  /** First lt of the block after the last one. */
  get nextStartLt(): bigint {
    return nextStartLt(this.blocks.at(-1)?.endLt ?? this.base.endLt);
  }

  /** 1, or on a fork the one after the forked block. */
  get firstSeqno(): number {
    return this.base.seqno + 1;
  }

  get nextSeqno(): number {
    return this.firstSeqno + this.blocks.length;
  }

  /** Time of the last block, Unix seconds. */
  get lastUtime(): number {
    return this.blocks.at(-1)?.genUtime ?? this.base.genUtime;
  }

  block(seqno: number): BlockRecord | undefined {
    return this.blocks[seqno - this.firstSeqno];
  }

  /** By the root or file hash of either of a seqno's blocks. */
  blockByHash(hash: string): BlockRecord | undefined {
    return this.#blocksByHash.get(hash);
  }

  transaction(hash: string): TransactionRecord | undefined {
    return this.#transactionsByHash.get(hash);
  }

  /** Messages with this hash, raw or normalized. Several if an external message was received twice. */
  messages(hash: string): readonly MessageRecord[] {
    return this.#messages.get(hash);
  }

  /** Whether a message with this hash was sent but not yet received. */
  isUnderWay(hash: string): boolean {
    return this.#messages.isUnderWay(hash);
  }

  messagesByBody(bodyHash: string): readonly MessageRecord[] {
    return this.#messages.byBody(bodyHash);
  }

  messagesByOpcode(opcode: number): readonly MessageRecord[] {
    return this.#messages.byOpcode(opcode);
  }

  /** The account's state at the end of a block. */
  versionAt(address: string, seqno: number): AccountVersion | undefined {
    return this.#states.versionAt(address, seqno);
  }

  /** Adds a state that the account already had at the base of this ledger. */
  adopt(change: AccountChange): AccountRecord {
    return this.#states.set(change, this.base.seqno);
  }

  apply(input: BlockInput): BlockRecord {
    const block = this.#begin(input);
    for (const change of input.changes) {
      this.#change(block, change);
    }
    return this.#finish(block, input);
  }

  /** Like {@link apply}, for a block that changes very many accounts. The ledger must not be used meanwhile. */
  async applyInTurns(input: BlockInput): Promise<BlockRecord> {
    const block = this.#begin(input);
    await mapInTurns(input.changes, (change) => this.#change(block, change));
    return this.#finish(block, input);
  }

  #begin(input: BlockInput): BlockRecord {
    const { nextSeqno: seqno } = this;
    const none = { rootHash: '', fileHash: '' };
    const { genUtime, startLt } = input;
    return {
      seqno,
      genUtime,
      startLt,
      endLt: startLt + 1n,
      master: none,
      shard: none,
      changed: [],
      transactions: [],
      newCodes: noCodes,
      failed: input.failed,
      dropped: input.dropped,
    };
  }

  #change(block: BlockRecord, change: AccountChange): void {
    block.changed.push(this.#states.set(change, block.seqno));
  }

  #finish(block: BlockRecord, input: BlockInput): BlockRecord {
    const codes = this.codes.size;
    input.codes?.forEach((code) => this.#states.addCode(readLightCell(code)));
    const touched = new Set<TraceRecord>();
    for (const given of byLt(input.transactions)) {
      touched.add(this.#addTransaction(given, block).trace);
    }
    input.failed?.forEach((message) => this.failed.set(message.hash, message));
    input.dropped?.forEach((hash) => this.#drop(hash));
    if (this.codes.size > codes) {
      block.newCodes = [...this.codes.keys()].slice(codes);
    }
    packBytes(block);
    this.#listTraces(touched);
    this.#messages.list(block);
    this.#seal(block);
    this.blocks.push(block);
    return block;
  }

  #seal(block: BlockRecord): void {
    const contents = (master: boolean): BlockContents => ({
      changed: block.changed.map(({ address }) => address).filter((one) => isMasterchain(one) === master),
      transactions: block.transactions
        .filter(({ account }) => isMasterchain(account.address) === master)
        .map(({ hash }) => hash),
    });
    const previous = this.blocks[this.blocks.length - 1];
    block.shard = blockHashes(0, block, previous?.shard.rootHash ?? '', contents(false));
    block.master = blockHashes(-1, block, previous?.master.rootHash ?? '', {
      blocks: [block.shard.rootHash],
      ...contents(true),
    });
    for (const { rootHash, fileHash } of [block.shard, block.master]) {
      this.#blocksByHash.set(rootHash, block).set(fileHash, block);
    }
  }

  #addTransaction(given: ReadTransaction, block: BlockRecord): TransactionRecord {
    const { transaction, facts, lt } = given;
    const { boc, ignoreSignatures = false } = transaction;
    const address = this.#messages.share(transaction.address);
    const head =
      'head' in transaction
        ? transaction.head
        : transactionHead(facts as TransactionFacts, (hash) => this.isUnderWay(hash));
    const before = this.accounts.get(address)?.versions.at(-1) ?? null;
    const { length: position } = this.transactions;
    const account =
      'head' in transaction
        ? this.#states.setPacked({ ...transaction, address }, block.seqno)
        : this.#states.set({ ...transaction, address }, block.seqno);
    const after = account.versions.at(-1) as AccountVersion;
    const trace = this.#traceOf(head);
    const place = { position, block, account, trace, before, after };
    const record = new TransactionRecord(head, boc, place, ignoreSignatures);
    record.inMessage = head.inMessage === null ? null : this.#messages.receive(head.inMessage, record);
    if (head.outMessages.length > 0) {
      record.outMessages = head.outMessages.map((message) => this.#messages.add(message, record));
    }
    if (record.inMessage !== null) {
      this.failed.delete(record.inMessage.hash);
    }
    joinTrace(record);
    account.addTransaction(record);
    this.transactions.push(record);
    if ('debugOutput' in transaction && transaction.debugOutput !== undefined) {
      this.debug.add(record.hash, address, transaction.debugOutput);
    }
    this.#transactionsByHash.set(record.hash, record);
    block.transactions.push(record);
    const end = lt + BigInt(record.outMessages.length) + 1n;
    block.endLt = end > block.endLt ? end : block.endLt;
    return record;
  }

  /** The trace of the message that a transaction receives, or a new one. */
  #traceOf({ inMessage }: TransactionHead): TraceRecord {
    const sent = inMessage === null ? undefined : this.#messages.underWay(inMessage.hash);
    return sent?.producer?.trace ?? { transactions: [], messages: 0, pendingMessages: 0, endLt: 0n };
  }

  /** Drops a failed message: its trace no longer waits for it, and its coins are lost. */
  #drop(hash: string): void {
    this.failed.delete(hash);
    this.#dropped.add(hash);
    const trace = this.messages(hash).find(({ consumer }) => consumer === null)?.producer?.trace;
    if (trace !== undefined) {
      trace.pendingMessages -= 1;
      if (trace.pendingMessages === 0) {
        // Its end is unchanged, and so is its place among the traces.
        this.openTraces.delete(trace);
      }
    }
  }

  /** Whether an undelivered message will be delivered: it neither failed nor was dropped. */
  isOnItsWay(hash: string): boolean {
    return !this.failed.has(hash) && !this.#dropped.has(hash);
  }

  #listTraces(touched: ReadonlySet<TraceRecord>): void {
    const byEnd = [...touched].sort((a, b) => compare(a.endLt, b.endLt));
    for (const trace of byEnd) {
      if (trace.pendingMessages > 0) {
        this.openTraces.add(trace);
      } else {
        this.openTraces.delete(trace);
      }
      const entry = { trace, endLt: trace.endLt };
      this.traces.push(entry);
      for (const account of new Set(trace.transactions.map((transaction) => transaction.account))) {
        account.addTrace(entry);
      }
    }
  }
}

/** Adds a transaction and its messages to its trace. */
function joinTrace(record: TransactionRecord): void {
  const { trace, inMessage, outMessages, lt } = record;
  if (inMessage?.producer != null) {
    trace.pendingMessages -= 1;
  } else if (inMessage !== null) {
    trace.messages += 1;
  }
  trace.transactions = append(trace.transactions, record);
  trace.messages += outMessages.length;
  trace.pendingMessages += outMessages.filter((message) => message.kind === 'internal').length;
  trace.endLt = lt > trace.endLt ? lt : trace.endLt;
}

interface ReadTransaction {
  transaction: ExecutedTransaction | KeptTransaction;
  /** Absent for a stored one. */
  facts?: TransactionFacts;
  lt: bigint;
}

/** Transactions in lt order, which keeps parents before children and every account's own order. */
function byLt(transactions: BlockInput['transactions']): ReadTransaction[] {
  return transactions
    .map((transaction) =>
      'head' in transaction ? { transaction, lt: transaction.head.lt } : readExecuted(transaction),
    )
    .sort((a, b) => compare(a.lt, b.lt));
}

/** Executed transactions in the order the ledger takes them. */
export function readInOrder(
  transactions: readonly ExecutedTransaction[],
): { transaction: ExecutedTransaction; facts: TransactionFacts; lt: bigint }[] {
  return transactions.map(readExecuted).sort((a, b) => compare(a.lt, b.lt));
}

function readExecuted(transaction: ExecutedTransaction): {
  transaction: ExecutedTransaction;
  facts: TransactionFacts;
  lt: bigint;
} {
  const facts = readTransaction(transaction.cell ?? readLightCell(transaction.boc));
  return { transaction, facts, lt: facts.lt };
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A past state with a placeholder for its code: enough for balances and hashes, and cheap. Null: never existed. */
export function accountSummary(version: AccountVersion | null): AccountFacts {
  return readAccount(readLightCell(version === null ? Buffer.from(absentAccount, 'base64') : version.packed));
}

/** A complete past state. */
export function accountFacts(ledger: Ledger, version: AccountVersion): AccountFacts {
  const code = version.codeHash === null ? null : (ledger.codes.get(version.codeHash) ?? null);
  return readAccount(unpackAccount(version.packed, code));
}
