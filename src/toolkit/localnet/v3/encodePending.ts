import { Ledger } from '../chain/ledger';
import type { PendingMessage } from '../chain/incoming';
import type { LocalChain } from '../chain/localChain';
import type { V3Context } from './context';
import type { TransactionRecord } from '../records/records';
import { encodeTrace } from './encodeTrace';
import type { Json } from '../api/json';

/**
 * An accepted message as a trace: its root transaction as the dry run has it (the network's emulation), what it sends
 * still on the way.
 */
export async function encodePending(context: V3Context, pending: PendingMessage): Promise<Json> {
  const record = pendingTransaction(context.chain, pending);
  const encoded = await encodeTrace(context, record.trace);
  const transactions = encoded.transactions as Record<string, Json>;
  const info = { ...(encoded.trace_info as Json), trace_state: 'pending' };
  return {
    ...encoded,
    mc_seqno_end: '0',
    end_lt: null,
    end_utime: null,
    trace_info: info,
    actions: [],
    transactions: Object.fromEntries(
      Object.entries(transactions).map(([hash, transaction]) => [hash, markPending(transaction, pending)]),
    ),
  };
}

/** A pending transaction in the indexed API's form. */
export function markPending(transaction: Json, { external }: PendingMessage): Json {
  const message = transaction.in_msg as Json;
  return {
    ...transaction,
    trace_external_hash: external.normalised,
    emulated: true,
    finality: 'pending',
    // Pending answers carry the normalised hash of every external message.
    in_msg: { ...message, hash_norm: external.normalised },
  };
}

/** The record the transaction would have, on a ledger of its own. */
export function pendingTransaction(
  { ledger }: LocalChain,
  { dryRun, destination }: PendingMessage,
): TransactionRecord {
  const { outcome, context } = dryRun;
  if (!outcome.success) {
    throw new Error('a pending message has no successful dry run');
  }
  const scratch = new Ledger();
  const { now: genUtime, startLt } = context;
  const before = ledger.accounts.get(destination);
  const changes =
    before === undefined
      ? []
      : [{ address: destination, shardAccount: Buffer.from(dryRun.shardAccount, 'base64') }];
  scratch.apply({ genUtime, startLt, changes, transactions: [] });
  scratch.blocks.length = 0;
  const transaction = {
    address: destination,
    boc: Buffer.from(outcome.transaction, 'base64'),
    shardAccount: Buffer.from(outcome.shardAccount, 'base64'),
  };
  const block = scratch.apply({ genUtime, startLt, changes: [], transactions: [transaction] });
  block.seqno = context.seqno;
  return block.transactions[0] as TransactionRecord;
}
