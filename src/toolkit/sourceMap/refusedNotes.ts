import type { SourceMap } from './sourceMap';

/**
 * A sentence for each method of a code that has no lines.
 *
 * @param isWanted by index of the method; default: all
 */
export function refusedNotes(
  { methods }: SourceMap,
  isWanted: (method: number) => boolean = () => true,
): string[] {
  return methods.flatMap(({ name, refused }, index) =>
    refused !== undefined && isWanted(index)
      ? [`${name} has no lines: its listing differs from its code (${refused}).`]
      : [],
  );
}
