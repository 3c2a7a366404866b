import type { Cell } from '@ton/core';
import { limits, overLimitError } from '../limits';

/** Every real structure repeats some of its cells; one that unfolds to so many times its size was made to. */
const mostTimesItsSize = 4;

/**
 * The cell itself; refuses one that holds far more when every reference is followed than it has cells. The loaders of @ton/core read
 * the dictionaries inside messages, transactions and state inits whole (extra currencies, libraries), so 40 cells could
 * keep them busy for ever. The check itself looks at each cell once.
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
