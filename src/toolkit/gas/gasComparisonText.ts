import { formatTable } from '../base/formatTable';
import { groupDigits, visibleText } from '../base/text';
import type { GasComparison } from './compareGas';
import { gasChange } from './gasWords';

/** Characters of a line's text. */
const longestText = 100;

/**
 * Two runs compared line by line, for people: the total, then the lines with the biggest changes, then how many are as
 * before.
 */
export function gasComparisonText({ before, now, change, lines, unmapped }: GasComparison): string {
  const figure = (gas: number | undefined): string => (gas === undefined ? '' : groupDigits(gas));
  const share = before === 0 ? '' : `, ${change > 0 ? '+' : ''}${((100 * change) / before).toFixed(1)}%`;
  const changed = lines.filter((line) => line.change !== 0);
  const rows = changed.map(({ file, line, text, was, before: then, now: since, change: difference }) => [
    figure(then),
    figure(since),
    gasChange(difference),
    `${file}${line === undefined || since === undefined ? '' : `:${line}`}`,
    `${since === undefined ? 'removed: ' : then === undefined ? 'new: ' : was === undefined ? '' : 'edited: '}${visibleText(text, longestText)}`,
  ]);
  if (unmapped.change !== 0) {
    rows.push([
      figure(unmapped.before),
      figure(unmapped.now),
      gasChange(unmapped.change),
      '',
      'without a line',
    ]);
  }
  const same = lines.length - changed.length;
  return [
    `${groupDigits(before)} -> ${groupDigits(now)} gas (${gasChange(change)}${share})`,
    '',
    ...(rows.length === 0
      ? ['No line uses more or less than before.']
      : formatTable(
          [['before', 'now', 'change', 'line', ''], ...rows],
          ['right', 'right', 'right', 'left', 'left'],
        )),
    ...(same === 0 || rows.length === 0 ? [] : ['', `${same} ${same === 1 ? 'line' : 'lines'} as before`]),
  ].join('\n');
}
