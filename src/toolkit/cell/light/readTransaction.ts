import { BitCursor } from './bitCursor';
import type { LightCell } from './lightCell';
import { MalformedCellError } from './malformedCellError';
import { walkDictionary } from './walkDictionary';

/** What the chain needs from a transaction (block.tlb, `Transaction`); the rest stays in its BoC. */
export interface TransactionFacts {
  /** Lowercase hex. */
  hash: string;
  lt: bigint;
  now: number;
  /** Cells as stored in the transaction, so that their hashes are the messages' hashes. */
  inMessage: LightCell | null;
  outMessages: LightCell[];
}

/**
 * Whether a transaction was aborted, from its description; null if it is not ordinary (block.tlb, `trans_ord`),
 * because other descriptions begin differently.
 */
export function readAborted(transaction: LightCell): boolean | null {
  const cursor = new BitCursor(transaction.refs.at(-1) as LightCell);
  if (cursor.uint(4) !== 0) {
    return null;
  }
  // credit_first:Bool storage_ph:(Maybe TrStoragePhase)
  cursor.skip(1);
  if (cursor.bit()) {
    cursor.coins();
    skipMaybeCoins(cursor);
    // status_change: acst_unchanged$0, acst_frozen$10, acst_deleted$11
    cursor.skip(cursor.peekUint(1) === 0 ? 1 : 2);
  }
  // credit_ph:(Maybe TrCreditPhase)
  if (cursor.bit()) {
    skipMaybeCoins(cursor);
    cursor.coins();
    cursor.maybeRef();
  }
  // compute_ph: tr_phase_compute_skipped$0 with its reason ($00, $01, $10, $110), tr_phase_compute_vm$1
  if (cursor.bit()) {
    cursor.skip(3).coins();
    cursor.ref();
  } else {
    cursor.skip(cursor.peekUint(2) === 3 ? 3 : 2);
  }
  // action:(Maybe ^TrActionPhase) aborted:Bool
  cursor.maybeRef();
  return cursor.bit();
}

function skipMaybeCoins(cursor: BitCursor): void {
  if (cursor.bit()) {
    cursor.coins();
  }
}

/** Throws MalformedCellError if the cell is not a transaction. */
export function readTransaction(cell: LightCell): TransactionFacts {
  const cursor = new BitCursor(cell);
  if (cursor.uint(4) !== 0b0111) {
    throw new MalformedCellError('not a transaction');
  }
  cursor.skip(256);
  const lt = cursor.bigUint(64);
  cursor.skip(256 + 64);
  const now = cursor.uint(32);
  const messages = new BitCursor(cursor.ref());
  const inMessage = messages.maybeRef();
  const outMessages: LightCell[] = [];
  const dictionary = messages.maybeRef();
  if (dictionary !== null) {
    walkDictionary(dictionary, 15, (_, leaf) => outMessages.push(leaf.ref()));
  }
  return { hash: cell.hexHash, lt, now, inMessage, outMessages };
}
