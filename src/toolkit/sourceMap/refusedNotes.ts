import type { MethodMap, SourceMap } from './sourceMap';

/**
 * A sentence for each method of a code that has no lines, or not all.
 *
 * @param isWanted by index of the method; default: all
 */
export function refusedNotes(
  { methods }: SourceMap,
  isWanted: (method: number) => boolean = () => true,
): string[] {
  return methods.flatMap((method, index) => (isWanted(index) ? noteOf(method) : []));
}

function noteOf({ name, refused, isAlike, unplaced, marks }: MethodMap): string[] {
  if (refused !== undefined) {
    const why = isAlike === true ? refused : `its listing differs from its code (${refused})`;
    return [`${name} has no lines: ${why}.`];
  }
  if (unplaced !== undefined) {
    const without = marks.filter(({ place }) => place < 0).length;
    return [`${name} has no line for ${without} of its ${marks.length} instructions: ${unplaced}.`];
  }
  return [];
}
