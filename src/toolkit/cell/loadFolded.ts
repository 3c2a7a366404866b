import { BitReader, Cell, Dictionary, Slice } from '@ton/core';
import type { DictionaryKey, DictionaryKeyTypes, DictionaryValue } from '@ton/core';
import { limits, overLimitError } from '../limits';

/**
 * Real dictionaries hardly repeat their cells; one that unfolds to more than this many times its size was built to do so.
 */
const mostTimesItsSize = 4;

/**
 * Loads a structure with a loader of @ton/core. Those unfold the dictionaries of messages, transactions and accounts (extra
 * currencies, libraries, outgoing messages) completely, so 40 cells could keep them busy forever: first the loader only counts
 * what it would unfold. Bodies, code and data are not unfolded, and may be as folded as they like.
 *
 * @param load reads the cell's slice, and is called twice
 * @throws WorkbenchError `over-limit`, and the loader's errors
 */
export function loadFolded<T>(cell: Cell, load: (slice: Slice) => T): T {
  load(new CountingSlice(cell, new Unfolding()));
  return load(cell.beginParse());
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
