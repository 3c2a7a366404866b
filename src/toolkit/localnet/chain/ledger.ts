import type { LightCell } from '../cells/lightCell';
import { readBoc } from '../cells/readBoc';
import { blockHashes } from './blockHashes';
import { MultiMap } from './multiMap';
import { packBytes } from './packBytes';
import { packAccount } from './packAccount';
import { readAccount } from './readAccount';
import type { AccountFacts } from './readAccount';
import { isMasterchain, normalisedHash, readMessage, readOpcode } from './readMessage';
import type { TransactionFacts } from './readTransaction';
import { readTransaction } from './readTransaction';
import type {
  AccountRecord,
  AccountVersion,
  BlockRecord,
  MessageRecord,
  TraceEntry,
  TraceRecord,
  TransactionRecord,
} from './records';

/** A state set from outside. */
export interface AccountChange {
  address: string;
  /** ShardAccount, BoC. */
  shardAccount: Buffer;
}

/** One executed transaction and the account it left behind. */
export interface ExecutedTransaction extends AccountChange {
  /** Transaction, BoC. */
  boc: Buffer;
  /** The same, when it was read already. */
  cell?: LightCell;
  ignoreSignatures?: boolean;
}

/** All that a block brings. The same block applied to the same ledger gives the same ledger. */
export interface BlockInput {
  genUtime: number;
  startLt: bigint;
  changes: readonly AccountChange[];
  transactions: readonly ExecutedTransaction[];
}

/** What a ledger stands on: the beginning of time, or a block of another network. */
export interface LedgerBase {
  seqno: number;
  /** Unix seconds. */
  genUtime: number;
  endLt: bigint;
}

/** The lts of a block begin at a multiple of this. */
const ltStep = 1_000_000n;

/** Everything that has happened, indexed. Knows no time, no queue, no emulator: blocks come in, answers go out. */
export class Ledger {
  readonly blocks: BlockRecord[] = [];
  readonly transactions: TransactionRecord[] = [];
  readonly accounts = new Map<string, AccountRecord>();
  /** Traces by their end, oldest first; an entry whose end is not the trace's own is outdated. */
  readonly traces: TraceEntry[] = [];
  /** Traces that still have messages on their way. */
  readonly openTraces = new Set<TraceRecord>();
  /** Accounts that the masterchain calls on every block. */
  readonly tickTockAccounts = new Set<AccountRecord>();
  /** Accounts that carry libraries. */
  readonly libraryAccounts = new Set<AccountRecord>();
  readonly codes = new Map<string, LightCell>();
  /** Messages from inside, by the lt of their creation. */
  readonly sentMessages: MessageRecord[] = [];
  /** Messages from outside, in the order of their execution. */
  readonly externalMessages: MessageRecord[] = [];
  readonly #blocksByHash = new Map<string, BlockRecord>();
  readonly #messagesByBody = new MultiMap<MessageRecord>();
  readonly #messagesByOpcode = new MultiMap<MessageRecord>();
  readonly #transactionsByHash = new Map<string, TransactionRecord>();
  readonly #messages = new MultiMap<MessageRecord>();
  readonly #messagesByNormalised = new MultiMap<MessageRecord>();

  constructor(readonly base: LedgerBase = { seqno: 0, genUtime: 0, endLt: 0n }) {}

  get last(): BlockRecord {
    return this.blocks[this.blocks.length - 1] as BlockRecord;
  }

  /** First lt of the block after the last one. */
  get nextStartLt(): bigint {
    return ((this.blocks.at(-1)?.endLt ?? this.base.endLt) / ltStep + 1n) * ltStep;
  }

  /** 1, or on a fork the one after the block it stands on. */
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

  /** Messages with this hash, raw or normalised. More than one when an external message was received twice. */
  messages(hash: string): readonly MessageRecord[] {
    const raw = this.#messages.get(hash);
    const normalised = this.#messagesByNormalised.get(hash);
    return normalised.length === 0 ? raw : [...raw, ...normalised];
  }

  messagesByBody(bodyHash: string): readonly MessageRecord[] {
    return this.#messagesByBody.get(bodyHash);
  }

  messagesByOpcode(opcode: number): readonly MessageRecord[] {
    return this.#messagesByOpcode.get(String(opcode));
  }

  /** The state the account had at the end of a block. */
  versionAt(address: string, seqno: number): AccountVersion | undefined {
    const versions = this.accounts.get(address)?.versions ?? [];
    let low = 0;
    let high = versions.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((versions[middle] as AccountVersion).seqno <= seqno) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return versions[low - 1];
  }

  /** A state the account already had in the block this ledger stands on. */
  adopt(change: AccountChange): AccountRecord {
    return this.#setAccount(change, this.base.seqno, null);
  }

  apply(input: BlockInput): BlockRecord {
    const { nextSeqno: seqno } = this;
    const none = { rootHash: '', fileHash: '' };
    const { genUtime, startLt } = input;
    const block: BlockRecord = {
      seqno,
      genUtime,
      startLt,
      endLt: startLt + 1n,
      master: none,
      shard: none,
      changed: [],
      transactions: [],
    };
    for (const change of input.changes) {
      block.changed.push(this.#setAccount(change, seqno, null));
    }
    const touched = new Set<TraceRecord>();
    for (const { executed, facts } of byLt(input.transactions)) {
      touched.add(this.#addTransaction(executed, facts, block).trace);
    }
    packBytes(block);
    this.#listTraces(touched);
    this.#listMessages(block);
    this.#seal(block);
    this.blocks.push(block);
    return block;
  }

  #listMessages(block: BlockRecord): void {
    const sent: MessageRecord[] = [];
    for (const { inMessage, outMessages } of block.transactions) {
      if (inMessage?.kind === 'external-in') {
        this.externalMessages.push(inMessage);
      }
      sent.push(...outMessages);
    }
    this.sentMessages.push(...sent.sort((a, b) => compare(a.createdLt, b.createdLt)));
  }

  #seal(block: BlockRecord): void {
    const contents = (master: boolean): string[] => [
      ...block.changed.map(({ address }) => address).filter((address) => isMasterchain(address) === master),
      ...block.transactions.filter((t) => isMasterchain(t.account.address) === master).map((t) => t.hash),
    ];
    const previous = this.blocks[this.blocks.length - 1];
    block.shard = blockHashes(0, block, previous?.shard.rootHash ?? '', contents(false));
    block.master = blockHashes(-1, block, previous?.master.rootHash ?? '', [
      block.shard.rootHash,
      ...contents(true),
    ]);
    for (const { rootHash, fileHash } of [block.shard, block.master]) {
      this.#blocksByHash.set(rootHash, block).set(fileHash, block);
    }
  }

  #addTransaction(
    executed: ExecutedTransaction,
    facts: TransactionFacts,
    block: BlockRecord,
  ): TransactionRecord {
    const before = this.accounts.get(executed.address)?.versions.at(-1) ?? null;
    const record = {
      position: this.transactions.length,
      hash: facts.hash,
      lt: facts.lt,
      now: facts.now,
      block,
      boc: executed.boc,
      before,
      ignoreSignatures: executed.ignoreSignatures ?? false,
    } as TransactionRecord;
    record.account = this.#setAccount(executed, block.seqno, record);
    record.after = record.account.versions.at(-1) as AccountVersion;
    record.inMessage = facts.inMessage === null ? null : this.#receive(facts.inMessage, record);
    record.outMessages = facts.outMessages.map((cell) => this.#addMessage(cell, record));
    record.trace = this.#joinTrace(record);
    record.account.transactions.push(record);
    this.transactions.push(record);
    this.#transactionsByHash.set(record.hash, record);
    block.transactions.push(record);
    const end = record.lt + BigInt(record.outMessages.length) + 1n;
    block.endLt = end > block.endLt ? end : block.endLt;
    return record;
  }

  /** The message this transaction receives: the one an earlier transaction sent, or a new one from outside. */
  #receive(cell: LightCell, consumer: TransactionRecord): MessageRecord {
    const sent = this.#messages.get(cell.hash64).find((message) => message.consumer === null);
    const record = sent ?? this.#addMessage(cell, null);
    record.consumer = consumer;
    return record;
  }

  #addMessage(cell: LightCell, producer: TransactionRecord | null): MessageRecord {
    const facts = readMessage(cell);
    const hash = cell.hash64;
    const normalised = facts.kind === 'external-in' ? normalisedHash(cell, facts) : hash;
    const record: MessageRecord = {
      hash,
      normalised: normalised === hash ? null : normalised,
      kind: facts.kind,
      source: facts.source,
      destination: facts.destination,
      createdLt: facts.createdLt,
      createdAt: facts.createdAt,
      opcode: readOpcode(facts.body),
      bodyHash: facts.body.hash64,
      producer,
      consumer: null,
    };
    this.#messages.add(hash, record);
    this.#messagesByBody.add(record.bodyHash, record);
    if (record.opcode !== null) {
      this.#messagesByOpcode.add(String(record.opcode), record);
    }
    if (record.normalised !== null) {
      this.#messagesByNormalised.add(record.normalised, record);
    }
    return record;
  }

  #joinTrace(record: TransactionRecord): TraceRecord {
    const parent = record.inMessage?.producer?.trace;
    const trace = parent ?? { transactions: [], messages: 0, pendingMessages: 0, endLt: 0n };
    if (parent !== undefined) {
      trace.pendingMessages -= 1;
    } else if (record.inMessage !== null) {
      trace.messages += 1;
    }
    trace.transactions.push(record);
    trace.messages += record.outMessages.length;
    trace.pendingMessages += record.outMessages.filter((message) => message.kind === 'internal').length;
    trace.endLt = record.lt > trace.endLt ? record.lt : trace.endLt;
    return trace;
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
        if (account.traces.at(-1)?.trace === trace) {
          account.traces.pop();
        }
        account.traces.push(entry);
      }
    }
  }

  #setAccount(change: AccountChange, seqno: number, transaction: TransactionRecord | null): AccountRecord {
    const cell = readBoc(change.shardAccount);
    const facts = readAccount(cell);
    const found = this.accounts.get(change.address);
    const packed = packAccount(cell, facts);
    const codeHash = this.#keepCode(found, facts);
    const version = { packed, codeHash, seqno, transaction };
    const current = change.shardAccount.toString('base64');
    if (found === undefined) {
      const record = {
        address: change.address,
        current,
        facts,
        versions: [version],
        transactions: [],
        traces: [],
      };
      this.accounts.set(change.address, record);
      return this.#classify(record);
    }
    if (found.facts.code !== facts.code) {
      delete found.codeBoc;
    }
    delete found.dataBoc;
    found.current = current;
    found.facts = facts;
    found.versions.push(version);
    return this.#classify(found);
  }

  #classify(account: AccountRecord): AccountRecord {
    const { tick, tock, libraries } = account.facts;
    if ((tick || tock) && isMasterchain(account.address)) {
      this.tickTockAccounts.add(account);
    } else {
      this.tickTockAccounts.delete(account);
    }
    if (libraries === null) {
      this.libraryAccounts.delete(account);
    } else {
      this.libraryAccounts.add(account);
    }
    return account;
  }

  /** Keeps one copy of each code; an unchanged code is recognised without hashing it. */
  #keepCode(account: AccountRecord | undefined, facts: AccountFacts): string | null {
    if (facts.code === null) {
      return null;
    }
    const before = account?.facts.code ?? null;
    if (before?.sameAs(facts.code) === true) {
      facts.code = before;
      return (account as AccountRecord).versions.at(-1)?.codeHash ?? before.hash64;
    }
    const hash = facts.code.hash64;
    const known = this.codes.get(hash);
    if (known === undefined) {
      this.codes.set(hash, facts.code);
    } else {
      facts.code = known;
    }
    return hash;
  }
}

/** Transactions in the order of their lt, which keeps parents before children and every account's own order. */
function byLt(
  transactions: readonly ExecutedTransaction[],
): { executed: ExecutedTransaction; facts: TransactionFacts }[] {
  return transactions
    .map((executed) => ({ executed, facts: readTransaction(executed.cell ?? readBoc(executed.boc)) }))
    .sort((a, b) => compare(a.facts.lt, b.facts.lt));
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
