import type { ExecutedTransaction } from '../../execution/executedTransaction';
import type { BlockContext } from '../../execution/transactionSurroundings';
import type { AccountChange } from '../records/blockInput';
import { Ledger } from './ledger';

/**
 * The next block as these transactions would make it, on a ledger that nothing else knows: what it says of them is what the
 * chain's ledger would say.
 *
 * @param before the accounts that are touched, as they are now; those that do not exist are left out
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
