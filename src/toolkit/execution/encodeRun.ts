import type { Exact } from '../api/openObject';
import type { V3Trace } from '../api/v3Traces';
import { encodeRunBody, encodeRunHead, orderedTransactions } from './encode/encodeTracedRun';
import { encodeTracedTransaction } from './encode/encodeTracedTransaction';
import type { ExecutedTransaction } from './executedTransaction';
import { linkRun } from './linkRun';

/**
 * The trace of executed transactions as in the v3 API, marked as emulated and without a block.
 *
 * @param executed in the order of execution, the root first
 * @param before ShardAccounts before the run (BoC, base64) by address
 */
export function encodeRun(
  executed: readonly ExecutedTransaction[],
  before: ReadonlyMap<string, string>,
): Exact<V3Trace> {
  const run = linkRun(executed, before);
  const order = orderedTransactions(run);
  const codes = new Map(run.transactions.map(({ account, after }) => [account.address, after.codeHash]));
  const printed = new Map(run.transactions.map(({ hash }, place) => [hash, executed[place]?.debugOutput]));
  const traceId = order[0]?.hash ?? '';
  const encoded = order.map((transaction) =>
    encodeTracedTransaction(transaction, {
      codeHashOf: (address) => codes.get(address),
      printed: printed.get(transaction.hash) ?? [],
      traceId,
    }),
  );
  return { ...encodeRunHead(run, order), ...encodeRunBody(order, encoded) };
}
