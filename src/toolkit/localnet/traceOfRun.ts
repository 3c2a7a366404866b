import type { Cascade } from '../execution/cascade';
import { previewLedger } from './chain/previewLedger';
import type { Json } from './api/json';
import { encodeTraceAtOnce } from './v3/encodeTrace';

/**
 * The trace of a cascade as the v3 API would tell it, marked as emulated and without a block.
 *
 * @param before ShardAccounts before the cascade (BoC, base64) by raw address
 */
export function traceOfRun(before: ReadonlyMap<string, string>, { context, executed }: Cascade): Json {
  const states = [...before].map(([address, shardAccount]) => ({
    address,
    shardAccount: Buffer.from(shardAccount, 'base64'),
  }));
  const ledger = previewLedger(context, states, executed);
  const trace = encodeTraceAtOnce(
    { ledger, maximumTraceTransactions: Infinity },
    ledger.transactions[0]!.trace,
  );
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
