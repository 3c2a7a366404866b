import { Cell } from '@ton/core';
import type { DecodedBody } from '../opcodes/decodedBody';
import type { LayoutSet } from './cellLayout';
import { decodeByLayout, hasPrefix } from './decodeByLayout';
import { fittingLayout } from './fittingLayout';
import { bouncedTag } from '../opcodes/decodeBody';

/**
 * Reads message bodies by ABIs, the given contracts' own first. A struct counts only if its prefix and the
 * whole content fit; for a bounced body, whose end is cut off, the prefix decides.
 *
 * @returns a function of the body (a BoC in base64) and a test for the contracts to try first
 */
export function bodyReader(
  sets: readonly LayoutSet[],
): (body: string, isOwn: (contract: string) => boolean) => DecodedBody | undefined {
  return (body, isOwn) => {
    const rank = ({ contract }: LayoutSet): number => (contract !== undefined && isOwn(contract) ? 0 : 1);
    const ordered = [...sets].sort((a, b) => rank(a) - rank(b));
    try {
      const cell = Cell.fromBase64(body);
      return bouncedBody(cell, ordered) ?? fittingLayout(cell, ordered);
    } catch {
      return undefined;
    }
  };
}

function bouncedBody(cell: Cell, sets: readonly LayoutSet[]): DecodedBody | undefined {
  const slice = cell.beginParse();
  if (cell.isExotic || slice.remainingBits < 64 || slice.loadUint(32) !== bouncedTag) {
    return undefined;
  }
  for (const set of sets) {
    for (const layout of set.structs.values()) {
      if (layout.prefix?.bits === 32 && hasPrefix(slice, layout.prefix)) {
        return { ...decodeByLayout(slice.asCell(), layout, set), broken: false, bounced: true };
      }
    }
  }
  return undefined;
}
