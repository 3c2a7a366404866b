import type { Boc } from './boc';
import { dataText } from './dataText';

/** One line of a tree of cells. */
export interface TreeLine {
  cell: number;
  /** 0 for a root. */
  indent: number;
  text: string;
  /** The cell and its subtree were already shown above; they are not repeated. */
  repeated: boolean;
}

/** How much of the tree is rendered. */
export interface BocTreeOptions {
  /** Cells to start from. Default: the roots. */
  roots?: readonly number[];
  /** Maximum number of lines. Default 10,000; the rest is counted in `left`. */
  limit?: number;
}

/**
 * The cells from the roots down, depth first, each with number, kind, bits, references, depth, whole hash and data. A
 * cell already shown is not expanded again, so that a small BoC cannot produce an endless tree.
 */
export function bocTree(boc: Boc, options: BocTreeOptions = {}): { lines: TreeLine[]; left: number } {
  const limit = options.limit ?? 10_000;
  const roots = options.roots ?? boc.roots;
  const stack = roots.map((cell) => ({ cell, indent: 0 })).reverse();
  const shown = new Map<number, number>();
  const lines: TreeLine[] = [];
  for (let next = stack.pop(); next !== undefined && lines.length < limit; next = stack.pop()) {
    const { cell, indent } = next;
    const before = shown.get(cell);
    const text =
      before === undefined ? lineText(boc, cell) : `#${cell}  as above, line ${before + 1} of the tree`;
    lines.push({ cell, indent, text, repeated: before !== undefined });
    if (before === undefined) {
      shown.set(cell, lines.length - 1);
      for (let i = boc.referenceCount(cell) - 1; i >= 0; i--) {
        stack.push({ cell: boc.reference(cell, i), indent: indent + 1 });
      }
    }
  }
  return { lines, left: lines.length < limit ? 0 : boc.cellCount - shown.size };
}

function lineText(boc: Boc, cell: number): string {
  const kind = boc.kind(cell);
  const refs = boc.referenceCount(cell);
  return [
    `#${cell}`,
    ...(kind === 'ordinary' ? [] : [kind]),
    ...(boc.level(cell) === 0 ? [] : [`level ${boc.level(cell)}`]),
    `${boc.bitLength(cell)} bits`,
    refs === 1 ? '1 ref' : `${refs} refs`,
    `depth ${boc.depth(cell)}`,
    boc.hashHex(cell),
    dataText(boc, cell),
  ].join('  ');
}
