import { cellKinds } from './boc';
import type { Boc, CellKind } from './boc';

/** The size of a BoC, and its duplicates. */
export interface BocStatistics {
  cells: number;
  /** Sum over all cells. */
  bits: number;
  depth: number;
  kinds: Readonly<Record<CellKind, number>>;
  /** Cells if nothing were shared; may be huge, so not exact above 2^53. */
  treeCells: number;
  /** Cells with more than one reference to them. */
  shared: number;
  /** Equal cells stored more than once: the first ten, most copies first. */
  duplicates: readonly { hash: string; cells: readonly number[] }[];
  /** Bytes taken up by all duplicates. */
  duplicateBytes: number;
}

/** Counts everything once; computes every hash. */
export function bocStatistics(boc: Boc): BocStatistics {
  const count = boc.cellCount;
  const kinds = Object.fromEntries(cellKinds.map((kind) => [kind, 0])) as Record<CellKind, number>;
  const treeSizes = new Float64Array(count);
  const referenced = new Uint32Array(count);
  const byHash = new Map<string, number[]>();
  let bits = 0;
  for (let cell = count - 1; cell >= 0; cell--) {
    kinds[boc.kind(cell)]++;
    bits += boc.bitLength(cell);
    treeSizes[cell] = 1;
    for (const child of boc.references(cell)) {
      treeSizes[cell]! += treeSizes[child]!;
      referenced[child]!++;
    }
    const hash = Buffer.from(boc.hash(cell)).toString('latin1');
    const same = byHash.get(hash);
    if (same === undefined) {
      byHash.set(hash, [cell]);
    } else {
      same.push(cell);
    }
  }
  const repeated = [...byHash.values()].filter((cells) => cells.length > 1);
  return {
    cells: count,
    bits,
    depth: Math.max(...boc.roots.map((root) => boc.depth(root))),
    kinds,
    treeCells: boc.roots.reduce((sum, root) => sum + treeSizes[root]!, 0),
    shared: referenced.reduce((sum, references) => sum + (references > 1 ? 1 : 0), 0),
    duplicates: repeated
      .sort((a, b) => b.length - a.length)
      .slice(0, 10)
      .map((cells) => ({ hash: boc.hashHex(cells[0]!), cells: cells.toReversed() })),
    duplicateBytes: repeated.reduce((sum, cells) => sum + (cells.length - 1) * cellBytes(boc, cells[0]!), 0),
  };
}

/** Cells, bits, and bytes of `cell` and everything below it, each cell once: the basis of storage fees. */
export function subtreeSize(boc: Boc, cell: number): { cells: number; bits: number; bytes: number } {
  const seen = new Set([cell]);
  const stack = [cell];
  const size = { cells: 0, bits: 0, bytes: 0 };
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    size.cells++;
    size.bits += boc.bitLength(next);
    size.bytes += cellBytes(boc, next);
    for (const child of boc.references(next)) {
      if (!seen.has(child)) {
        seen.add(child);
        stack.push(child);
      }
    }
  }
  return size;
}

function cellBytes(boc: Boc, cell: number): number {
  return 2 + boc.data(cell).length + boc.referenceCount(cell) * boc.header.referenceBytes;
}
