import type {
  Builder,
  CommonMessageInfoExternalIn,
  DictionaryKey,
  DictionaryKeyTypes,
  DictionaryValue,
  Message,
  MessageRelaxed,
  Transaction,
} from '@ton/core';
import {
  BitReader,
  Cell,
  Dictionary,
  Slice,
  beginCell,
  loadMessage,
  loadMessageRelaxed,
  loadTransaction,
  storeMessage,
} from '@ton/core';
import { limits, overLimitError } from '../base/limits';

/**
 * Real dictionaries hardly repeat their cells; one that unfolds to more than this many times its size was built to do so.
 */
const mostTimesItsSize = 4;
/** A structure of so few cells, each counted as often as it is referred to, needs no look before it is loaded. */
const fewCells = 256;

/**
 * Loads a structure with a loader of @ton/core. Those unfold the dictionaries of messages, transactions and accounts (extra
 * currencies, libraries, outgoing messages) completely, so 40 cells could keep them busy forever: first the loader only counts
 * what it would unfold. Bodies, code and data are not unfolded, and may be as folded as they like.
 *
 * @param load reads the cell's slice, and is called twice if the structure is large
 * @throws WorkbenchError `over-limit`, and the loader's errors
 */
export function loadFolded<T>(cell: Cell, load: (slice: Slice) => T): T {
  if (!isSmall(cell)) {
    load(new CountingSlice(cell, new Unfolding()));
  }
  return load(cell.beginParse());
}

function isSmall(root: Cell): boolean {
  const waiting = [root];
  for (let count = 0; count < fewCells; count += 1) {
    const cell = waiting.pop();
    if (cell === undefined) {
      return true;
    }
    waiting.push(...cell.refs);
  }
  return false;
}

class Unfolding {
  #count = 0;
  readonly #cells = new Set<Cell>();

  add(cell: Cell): void {
    this.#count += 1;
    this.#cells.add(cell);
    if (this.#count > limits.unfoldedCells.most && this.#count > mostTimesItsSize * this.#cells.size) {
      throw overLimitError('unfoldedCells', { kind: 'failed' });
    }
  }
}

/** A slice whose dictionaries are counted, and come out empty. */
class CountingSlice extends Slice {
  readonly #unfolding: Unfolding;

  constructor(cell: Cell, unfolding: Unfolding) {
    if (cell.isExotic) {
      throw new Error('Exotic cells cannot be parsed');
    }
    super(new BitReader(cell.bits), cell.refs);
    this.#unfolding = unfolding;
  }

  /** A reference that is read further is counted, too. */
  override loadRef(): Cell {
    const cell = super.loadRef();
    return Object.create(cell, {
      beginParse: { value: () => new CountingSlice(cell, this.#unfolding) },
    }) as Cell;
  }

  /** Only its hash would differ, which takes as long as everything else. */
  override asCell(): Cell {
    return Cell.EMPTY;
  }

  override loadDict<K extends DictionaryKeyTypes, V>(
    key: DictionaryKey<K>,
    value: DictionaryValue<V>,
  ): Dictionary<K, V> {
    const root = this.loadBit() ? super.loadRef() : undefined;
    if (root !== undefined && !root.isExotic) {
      this.#count(root, key.bits, value);
    }
    return Dictionary.empty(key, value);
  }

  override loadDictDirect<K extends DictionaryKeyTypes, V>(
    key: DictionaryKey<K>,
    value: DictionaryValue<V>,
  ): Dictionary<K, V> {
    this.#countFrom(this, key.bits, value);
    return Dictionary.empty(key, value);
  }

  #count(cell: Cell, bits: number, value: DictionaryValue<unknown>): void {
    this.#unfolding.add(cell);
    this.#countFrom(new CountingSlice(cell, this.#unfolding), bits, value);
  }

  /** As the library reads them (block.tlb: Hashmap); pruned branches are left out. */
  #countFrom(slice: CountingSlice, bits: number, value: DictionaryValue<unknown>): void {
    const left = bits - skipLabel(slice, bits);
    if (left < 0) {
      throw new Error('the label is longer than the key');
    }
    if (left === 0) {
      value.parse(slice);
      return;
    }
    for (const branch of [slice.#plainRef(), slice.#plainRef()]) {
      if (!branch.isExotic) {
        this.#count(branch, left - 1, value);
      }
    }
  }

  #plainRef(): Cell {
    return super.loadRef();
  }
}

/** @returns the label's length */
function skipLabel(slice: Slice, bits: number): number {
  if (!slice.loadBit()) {
    let length = 0;
    while (slice.loadBit()) {
      length += 1;
    }
    slice.skip(length);
    return length;
  }
  const isSame = slice.loadBit();
  if (isSame) {
    slice.skip(1);
  }
  const length = slice.loadUint(Math.ceil(Math.log2(bits + 1)));
  if (!isSame) {
    slice.skip(length);
  }
  return length;
}

/**
 * A message of any kind: as in blocks (Message) or as made by a contract (MessageRelaxed, whose source may be
 * missing); undefined if the cell is not a message, or contains more than that.
 */
export function loadAnyMessage(cell: Cell): Message | MessageRelaxed | undefined {
  for (const load of [loadMessage, loadMessageRelaxed]) {
    try {
      const { message, slice } = loadFolded(cell, (slice) => ({ message: load(slice), slice }));
      // An inline body is the remainder; after a body in a reference nothing may remain.
      const inline = slice.remainingBits > 0 || slice.remainingRefs > 0;
      const left = slice.asCell();
      if (!inline || left.hash().equals(message.body.hash())) {
        return message;
      }
    } catch {
      // Not of this kind.
    }
  }
  return undefined;
}

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

/**
 * TEP-467: the hash of an external message without source, import fee, and state init, with its body in a reference.
 * Wallets and indexers find a message and its trace by it, whatever way it was serialized.
 * @returns lowercase hex
 */
export function normalizedHash({ info, body }: { info: CommonMessageInfoExternalIn; body: Cell }): string {
  const plain = { ...info, src: undefined, importFee: 0n };
  return beginCell()
    .store(storeMessage({ info: plain, init: null, body }, { forceRef: true }))
    .endCell()
    .hash()
    .toString('hex');
}

/** Whether a workchain exists: the masterchain or the basechain. A cell that claims another is something else. */
export function isNetworkWorkchain(workchain: number): boolean {
  return workchain === 0 || workchain === -1;
}

/** Whether Unix seconds are within the network's lifetime (its first block is of November 2019), or not set. */
export function isNetworkTime(seconds: number): boolean {
  return seconds === 0 || (seconds >= 1_573_000_000 && seconds < 4_102_444_800);
}

/** Whether a logical time is plausible: mainnet needed six years for 2^46. */
export function isNetworkLt(lt: bigint): boolean {
  return lt < 1n << 56n;
}
