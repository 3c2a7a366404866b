import { beginCell, loadTransaction } from '@ton/core';
import type { Builder, Cell, Slice, Transaction } from '@ton/core';
import { loadFolded } from './loadFolded';

/** As named in block.tlb, in the library's spelling. */
type SkipReason = Extract<
  Extract<Transaction['description'], { type: 'generic' }>['computePhase'],
  { type: 'skipped' }
>['reason'];

/**
 * A transaction, with any reason for skipping its code. The library does not know `cskip_suspended$110` (block.tlb,
 * ComputeSkipReason) and rejects such a transaction entirely; here its reason is `suspended`.
 *
 * @throws Error if the cell is not a transaction
 */
export function loadAnyTransaction(cell: Cell): Transaction {
  try {
    return loadFolded(cell, loadTransaction);
  } catch (error) {
    const described = cell.refs.at(-1);
    const readable = described === undefined ? undefined : withKnownReason(described);
    if (readable === undefined) {
      throw error;
    }
    const transaction = loadFolded(withLastReference(cell, readable), loadTransaction);
    const { description } = transaction;
    if (description.type !== 'generic' || description.computePhase.type !== 'skipped') {
      throw error;
    }
    const computePhase = { ...description.computePhase, reason: 'suspended' as unknown as SkipReason };
    return {
      ...transaction,
      description: { ...description, computePhase },
      raw: cell,
      hash: () => cell.hash(),
    };
  }
}

/**
 * The description of a suspended account's transaction, with a reason known to the library; undefined for any other.
 */
function withKnownReason(description: Cell): Cell | undefined {
  try {
    const slice = description.beginParse();
    const before = beginCell();
    // trans_ord$0000 credit_first:Bool
    if (slice.preloadUint(4) !== 0) {
      return undefined;
    }
    copy(slice, before, 5);
    copyMaybe(slice, before, () => copyStoragePhase(slice, before));
    copyMaybe(slice, before, () => copyCreditPhase(slice, before));
    // tr_phase_compute_skipped$0 reason:ComputeSkipReason
    if (slice.loadUint(4) !== 0b0110) {
      return undefined;
    }
    return before.storeUint(0, 3).storeSlice(slice).endCell();
  } catch {
    return undefined;
  }
}

function copy(slice: Slice, into: Builder, bits: number): void {
  into.storeBits(slice.loadBits(bits));
}

function copyMaybe(slice: Slice, into: Builder, inner: () => void): void {
  const isThere = slice.loadBit();
  into.storeBit(isThere);
  if (isThere) {
    inner();
  }
}

function copyCoins(slice: Slice, into: Builder): void {
  into.storeCoins(slice.loadCoins());
}

/** storage_fees_collected:Grams storage_fees_due:(Maybe Grams) status_change:AccStatusChange */
function copyStoragePhase(slice: Slice, into: Builder): void {
  copyCoins(slice, into);
  copyMaybe(slice, into, () => copyCoins(slice, into));
  // acst_unchanged$0, acst_frozen$10, acst_deleted$11
  copy(slice, into, slice.preloadUint(1) === 0 ? 1 : 2);
}

/** due_fees_collected:(Maybe Grams) credit:CurrencyCollection */
function copyCreditPhase(slice: Slice, into: Builder): void {
  copyMaybe(slice, into, () => copyCoins(slice, into));
  copyCoins(slice, into);
  copyMaybe(slice, into, () => into.storeRef(slice.loadRef()));
}

function withLastReference(cell: Cell, last: Cell): Cell {
  const builder = beginCell().storeBits(cell.bits);
  [...cell.refs.slice(0, -1), last].forEach((reference) => builder.storeRef(reference));
  return builder.endCell();
}
