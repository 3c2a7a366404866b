import type { ExecutedTransaction } from '../../execution/encodeRun';
import type { BlockContext } from '../../execution/cascade';
import type { AccountChange } from '../records/blockInput';
import { Ledger } from './ledger';

/**
 * The next block with these transactions, on a separate ledger, which answers about them exactly as the chain's
 * ledger would.
 *
 * @param before the current state of the touched accounts; nonexistent ones are omitted
 */
export function previewLedger(
  { seqno, now: genUtime, startLt }: BlockContext,
  before: readonly AccountChange[],
  transactions: readonly ExecutedTransaction[],
): Ledger {
  const ledger = new Ledger({ seqno: seqno - 1, genUtime, endLt: startLt - 1n });
  for (const account of before) {
    ledger.adopt(account);
  }
  ledger.apply({ genUtime, startLt, changes: [], transactions });
  return ledger;
}
