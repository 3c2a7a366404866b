import type { Cell } from '@ton/core';
import { limits, overLimitError } from '../limits';

/**
 * Real structures repeat some of their cells; one that expands to more than this many times its size was
 * built to do so.
 */
const mostTimesItsSize = 4;

/**
 * Returns the cell; rejects one whose expansion (following every reference) is far larger than its number of cells.
 * The loaders of @ton/core read dictionaries inside messages, transactions, and state inits completely (extra
 * currencies, libraries), so 40 cells could keep them busy forever. The check visits each cell once.
 *
 * @throws WorkbenchError `over-limit`
 */
export function foldedCell(cell: Cell): Cell {
  const paths = new Map<Cell, number>();
  const waiting = [cell];
  while (waiting.length > 0) {
    const current = waiting.at(-1)!;
    const missing = paths.has(current) ? [] : current.refs.filter((ref) => !paths.has(ref));
    if (missing.length > 0) {
      waiting.push(...missing);
      continue;
    }
    waiting.pop();
    paths.set(
      current,
      current.refs.reduce((sum, ref) => sum + paths.get(ref)!, 1),
    );
  }
  const unfolded = paths.get(cell)!;
  if (unfolded > limits.unfoldedCells.most && unfolded > mostTimesItsSize * paths.size) {
    throw overLimitError('unfoldedCells', { kind: 'failed' });
  }
  return cell;
}
