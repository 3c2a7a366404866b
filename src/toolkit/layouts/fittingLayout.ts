import type { Cell } from '@ton/core';
import { WorkBudget } from '../limits';
import type { DecodedBody } from '../opcodes/decodedBody';
import type { LayoutSet, StructLayout } from './cellLayout';
import { decodeByLayout, hasPrefix } from './decodeByLayout';

/** Shorter prefixes occur in too many other cells. */
const shortestPrefix = 16;

/**
 * The struct that a cell holds, recognized by its prefix and by nothing being left over; undefined if none
 * fits. The first file that describes it wins.
 *
 * @param isExpected the structs that it can be by what is known of it: these count with short prefixes, too
 */
export function fittingLayout(
  cell: Cell,
  sets: readonly LayoutSet[],
  isExpected: (layout: StructLayout) => boolean = () => false,
): DecodedBody | undefined {
  if (cell.isExotic) {
    return undefined;
  }
  const slice = cell.beginParse();
  const budget = new WorkBudget('decodedFields', { kind: 'failed' });
  for (const set of sets) {
    for (const layout of set.structs.values()) {
      const { prefix } = layout;
      const isShort = prefix !== undefined && prefix.bits < shortestPrefix && !isExpected(layout);
      if (prefix === undefined || isShort || !hasPrefix(slice, prefix)) {
        continue;
      }
      const body = decodeByLayout(cell, layout, set, budget);
      if (!body.broken && body.left.bits + body.left.refs === 0) {
        return body;
      }
    }
  }
  return undefined;
}
