import type { LightCell } from '../cells/lightCell';
import { readBoc } from '../cells/readBoc';
import { AccountIndex } from './accountIndex';
import type { AccountChange } from './accountIndex';
import { blockHashes } from './blockHashes';
import { MessageIndex } from './messageIndex';
import { packBytes } from './packBytes';
import { isMasterchain } from './readMessage';
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
  readonly #states = new AccountIndex();
  readonly #messages = new MessageIndex();
  readonly accounts = this.#states.accounts;
  /** Traces by their end, oldest first; an entry whose end is not the trace's own is outdated. */
  readonly traces: TraceEntry[] = [];
  /** Traces that still have messages on their way. */
  readonly openTraces = new Set<TraceRecord>();
  /** Accounts that the masterchain calls on every block. */
  readonly tickTockAccounts = this.#states.tickTock;
  /** Accounts that carry libraries. */
  readonly libraryAccounts = this.#states.withLibraries;
  readonly codes = this.#states.codes;
  /** Messages from inside, by the lt of their creation. */
  readonly sentMessages = this.#messages.sent;
  /** Messages from outside, in the order of their execution. */
  readonly externalMessages = this.#messages.external;
  readonly #blocksByHash = new Map<string, BlockRecord>();
  readonly #transactionsByHash = new Map<string, TransactionRecord>();

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
    return this.#messages.get(hash);
  }

  messagesByBody(bodyHash: string): readonly MessageRecord[] {
    return this.#messages.byBody(bodyHash);
  }

  messagesByOpcode(opcode: number): readonly MessageRecord[] {
    return this.#messages.byOpcode(opcode);
  }

  /** The state the account had at the end of a block. */
  versionAt(address: string, seqno: number): AccountVersion | undefined {
    return this.#states.versionAt(address, seqno);
  }

  /** A state the account already had in the block this ledger stands on. */
  adopt(change: AccountChange): AccountRecord {
    return this.#states.set(change, this.base.seqno, null);
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
      block.changed.push(this.#states.set(change, seqno, null));
    }
    const touched = new Set<TraceRecord>();
    for (const { executed, facts } of byLt(input.transactions)) {
      touched.add(this.#addTransaction(executed, facts, block).trace);
    }
    packBytes(block);
    this.#listTraces(touched);
    this.#messages.list(block);
    this.#seal(block);
    this.blocks.push(block);
    return block;
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
    record.account = this.#states.set(executed, block.seqno, record);
    record.after = record.account.versions.at(-1) as AccountVersion;
    record.inMessage = facts.inMessage === null ? null : this.#messages.receive(facts.inMessage, record);
    record.outMessages = facts.outMessages.map((cell) => this.#messages.add(cell, record));
    record.trace = this.#joinTrace(record);
    record.account.transactions.push(record);
    this.transactions.push(record);
    this.#transactionsByHash.set(record.hash, record);
    block.transactions.push(record);
    const end = record.lt + BigInt(record.outMessages.length) + 1n;
    block.endLt = end > block.endLt ? end : block.endLt;
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
