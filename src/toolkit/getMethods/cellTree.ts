import { CellType } from '@ton/core';
import type { Cell } from '@ton/core';
import { printBits } from '../stack/bitsText';
import { shortenMiddle } from '../text';

/** Further lines are counted instead of shown: the raw value has the rest. */
const maximumLines = 48;
/** Maximum characters of a line's bits. */
const maximumBits = 64;

/** A cell and its references, one line each, indented by depth, in order. */
export function cellTree(cell: Cell): string[] {
  const lines: string[] = [];
  const waiting: { cell: Cell; depth: number }[] = [{ cell, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (lines.length === maximumLines) {
      lines.push('…');
      return lines;
    }
    lines.push('  '.repeat(next.depth) + cellLine(next.cell));
    for (const ref of [...next.cell.refs].reverse()) {
      waiting.push({ cell: ref, depth: next.depth + 1 });
    }
  }
  return lines;
}

/** Bits, references, and hash as short text. */
export function cellSummary(cell: Cell): string {
  const { bits, refs } = cell;
  const counts = `${bits.length} ${bits.length === 1 ? 'bit' : 'bits'}, ${refs.length} ${refs.length === 1 ? 'ref' : 'refs'}`;
  const hash = cell.hash().toString('hex');
  return `${cell.isExotic ? 'exotic, ' : ''}${counts}, hash ${shortenMiddle(hash)}`;
}

function cellLine(cell: Cell): string {
  const bits = printBits(cell.bits);
  const kind = cell.isExotic ? 'exotic ' : '';
  return bits.length > maximumBits && !isLibrary(cell)
    ? `${kind}${bits.slice(0, maximumBits - 2)}…}  ${cell.bits.length} bits`
    : `${kind}${bits}`;
}

/** A reference to a library is nothing but the library's hash, so it is never cut. */
function isLibrary({ isExotic, type }: Cell): boolean {
  return isExotic && type === CellType.Library;
}
