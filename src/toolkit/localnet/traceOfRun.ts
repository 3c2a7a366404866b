import type { DebugOutput } from '../emulator/emulator';
import { readBoc } from '../cell/light/readBoc';
import { sentMessages } from './chain/blockBuilder';
import { Ledger } from './chain/ledger';
import type { Json } from './api/json';
import { encodeTraceAtOnce } from './v3/encodeTrace';

/** A transaction that was executed outside of any chain. */
export interface RunTransaction {
  /** Raw address. */
  address: string;
  /** The transaction, a BoC. */
  boc: Buffer;
  /** The account's ShardAccount after it, a BoC. */
  shardAccount: Buffer;
  /** What its contract printed. */
  debugOutput?: DebugOutput | undefined;
}

/** A run of transactions that belong to one trace, the first one its root. */
export interface Run {
  /** ShardAccounts before the run (BoC, base64) by raw address. */
  before: ReadonlyMap<string, string>;
  transactions: readonly RunTransaction[];
  /** Unix seconds. */
  now: number;
  /** Logical time at which the block of these transactions begins. */
  startLt: bigint;
}

/** The internal messages that a transaction (BoC) sent, in order: each a BoC in base64, with its raw destination. */
export function messagesSentBy(transaction: Buffer): { boc: string; destination: string }[] {
  return sentMessages(readBoc(transaction)).map(({ boc, destination }) => ({
    boc,
    destination: destination.toLowerCase(),
  }));
}

/** The trace of a run as the v3 API would tell it, marked as emulated and without a block. */
export function traceOfRun({ before, transactions, now, startLt }: Run): Json {
  const ledger = new Ledger();
  const key = (address: string): string => address.toUpperCase();
  const changes = [...before].map(([address, shardAccount]) => ({
    address: key(address),
    shardAccount: Buffer.from(shardAccount, 'base64'),
  }));
  ledger.apply({ genUtime: now, startLt: 1_000_000n, changes, transactions: [] });
  const executed = transactions.map((one) => ({
    ...one,
    address: key(one.address),
    cell: readBoc(one.boc),
  }));
  ledger.apply({ genUtime: now, startLt, changes: [], transactions: executed });
  const context = { ledger, maximumTraceTransactions: Infinity };
  const trace = encodeTraceAtOnce(context, ledger.transactions[0]!.trace);
  for (const transaction of Object.values(trace.transactions as Json)) {
    Object.assign(transaction as Json, {
      emulated: true,
      finality: null,
      mc_block_seqno: null,
      block_ref: null,
    });
  }
  return { ...trace, mc_seqno_start: null, mc_seqno_end: null };
}
