import type { Slice } from '@ton/core';
import { Cell } from '@ton/core';
import { WorkBudget } from '../../base/limits';
import { bouncedTag } from '../opcodes/decodeBody';
import type { DecodedBody } from '../opcodes/decodedBody';
import { readRichBounce } from '../opcodes/richBounce';
import type { LayoutSet, StructLayout } from './layoutSet';
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

/**
 * Reads a message body by the first of these ABIs that fits. A struct counts only if its prefix and the whole
 * content fit; for a bounced body, whose end is cut off, the prefix decides.
 *
 * @param body a BoC in base64
 * @param isExpected as in {@link fittingLayout}
 */
export function readBodyBy(
  body: string,
  sets: readonly LayoutSet[],
  isExpected: (layout: StructLayout) => boolean = () => false,
): DecodedBody | undefined {
  try {
    return readBodyCell(Cell.fromBase64(body), sets, isExpected);
  } catch {
    return undefined;
  }
}

/** {@link readBodyBy} for a cell. */
export function readBodyCell(
  cell: Cell,
  sets: readonly LayoutSet[],
  isExpected: (layout: StructLayout) => boolean,
): DecodedBody | undefined {
  return bouncedBody(cell, sets, isExpected) ?? fittingLayout(cell, sets, isExpected);
}

function bouncedBody(
  cell: Cell,
  sets: readonly LayoutSet[],
  isExpected: (layout: StructLayout) => boolean,
): DecodedBody | undefined {
  const rich = readRichBounce(cell);
  if (rich !== undefined) {
    const original =
      fittingLayout(rich.original, sets, isExpected) ??
      cutBody(rich.original.beginParse(true), sets, isExpected);
    return original === undefined
      ? undefined
      : { ...original, fields: [...original.fields, ...rich.fields], bounced: true };
  }
  const slice = cell.beginParse();
  return cell.isExotic || slice.remainingBits < 64 || slice.loadUint(32) !== bouncedTag
    ? undefined
    : cutBody(slice, sets, isExpected);
}

/** A body whose end or references are cut off: its prefix decides. */
function cutBody(
  slice: Slice,
  sets: readonly LayoutSet[],
  isExpected: (layout: StructLayout) => boolean,
): DecodedBody | undefined {
  for (const set of sets) {
    for (const layout of set.structs.values()) {
      const { prefix } = layout;
      if (prefix !== undefined && (prefix.bits === 32 || isExpected(layout)) && hasPrefix(slice, prefix)) {
        return { ...decodeByLayout(slice.asCell(), layout, set), broken: false, bounced: true };
      }
    }
  }
  return undefined;
}
