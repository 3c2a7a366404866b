import type { Exact } from '../../api/openObject';
import type { V3Trace } from '../../api/v3Traces';
import type { V3Transaction } from '../../api/v3Objects';
import { previewLedger } from '../chain/previewLedger';
import type { PendingMessage } from '../chain/incoming';
import type { LocalChain } from '../chain/localChain';
import type { V3Context } from './context';
import type { TransactionRecord } from '../records/records';
import { encodeTrace } from './encodeTrace';

/**
 * An accepted message as a trace: its root transaction from the dry run (the network's emulation), with the sent
 * messages still on their way.
 */
export async function encodePending(context: V3Context, pending: PendingMessage): Promise<Exact<V3Trace>> {
  const record = pendingTransaction(context.chain, pending);
  const encoded = await encodeTrace(context, record.trace);
  const info = { ...encoded.trace_info, trace_state: 'pending' };
  return {
    ...encoded,
    mc_seqno_end: 0,
    end_lt: null,
    end_utime: null,
    trace_info: info,
    actions: [],
    transactions: Object.fromEntries(
      Object.entries(encoded.transactions ?? {}).map(([hash, transaction]) => [
        hash,
        transaction && markPending(transaction, pending),
      ]),
    ),
  };
}

/** A pending transaction in the indexed API's format. */
export function markPending(
  transaction: Exact<V3Transaction>,
  { external }: PendingMessage,
): Exact<V3Transaction> {
  return {
    ...transaction,
    trace_external_hash: external.normalized,
    emulated: true,
    finality: 'pending',
    // Pending answers contain the normalized hash of every external message.
    in_msg: { ...transaction.in_msg, hash_norm: external.normalized },
  };
}

/** The record that the transaction will have in the next block. */
export function pendingTransaction(
  { ledger }: LocalChain,
  { dryRun, destination }: PendingMessage,
): TransactionRecord {
  const { outcome, context } = dryRun;
  if (!outcome.success) {
    throw new Error('a pending message has no successful dry run');
  }
  const state = { address: destination, shardAccount: Buffer.from(dryRun.shardAccount, 'base64') };
  const before = ledger.accounts.has(destination) ? [state] : [];
  const transaction = {
    address: destination,
    boc: Buffer.from(outcome.transaction, 'base64'),
    shardAccount: Buffer.from(outcome.shardAccount, 'base64'),
  };
  return previewLedger(context, before, [transaction]).last.transactions[0] as TransactionRecord;
}
