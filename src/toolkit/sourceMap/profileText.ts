import { formatTable } from '../base/formatTable';
import { groupDigits, visibleText } from '../base/text';
import type { Profile } from './profileOf';

/** Lines shown of a profile. */
const shownLines = 20;

/**
 * A profile for people: its functions, then its most expensive lines.
 * @param nameOf how files are named
 * @param unit of what its lines are: those of `instructionMap` are instructions
 */
export function profileText(
  { gasUsed, functions, lines, unmapped }: Profile,
  nameOf: (file: string) => string,
  unit: 'line' | 'instruction' = 'line',
): string {
  const share = (gas: number): string => `${((100 * gas) / Math.max(1, gasUsed)).toFixed(1)}%`;
  const gasOf = (gas: number): [string, string] => [groupDigits(BigInt(gas)), share(gas)];
  const functionRows = functions.map(({ name, file, line, gas, calls }) => [
    ...gasOf(gas),
    String(calls),
    visibleText(name),
    `${nameOf(file)}:${line}`,
  ]);
  const lineRows = lines
    .slice(0, shownLines)
    .map(({ file, line, text, gas, steps }) => [
      ...gasOf(gas),
      String(steps),
      unit === 'line' ? `${nameOf(file)}:${line}` : visibleText(text),
    ]);
  const more = lines.length - lineRows.length;
  return [
    `${groupDigits(BigInt(gasUsed))} gas, of which ${groupDigits(BigInt(unmapped.gas))} in ${unmapped.steps} steps ${unit === 'line' ? 'without a source line' : 'that are not listed'}`,
    '',
    ...formatTable(
      [['gas', 'share', 'calls', 'function', 'from'], ...functionRows],
      ['right', 'right', 'right', 'left', 'left'],
    ),
    '',
    ...formatTable([['gas', 'share', 'steps', unit], ...lineRows], ['right', 'right', 'right', 'left']),
    ...(more > 0 ? [`… and ${more} more ${unit}s`] : []),
  ].join('\n');
}
