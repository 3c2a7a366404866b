import { BitCursor } from '../cells/bitCursor';
import type { LightCell } from '../cells/lightCell';
import { MalformedCellError } from '../cells/malformedCellError';
import { walkDictionary } from '../cells/walkDictionary';

/** What the chain needs of a transaction (block.tlb, `Transaction`); the rest stays in its BoC. */
export interface TransactionFacts {
  hash: string;
  lt: bigint;
  now: number;
  /** Cells as they stand in the transaction, so that their hashes are the messages' hashes. */
  inMessage: LightCell | null;
  outMessages: LightCell[];
}

/** Throws MalformedCellError when the cell is not a transaction. */
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
  return { hash: cell.hash64, lt, now, inMessage, outMessages };
}
