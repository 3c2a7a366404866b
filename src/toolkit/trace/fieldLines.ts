import { visibleText } from '../text';
import { fieldMeanings } from './fieldMeanings';
import type { FieldForm, Section } from './fieldMeanings';
import { formatCoins, formatInteger, formatTime } from './figures';
import type { FieldLine } from './report';
import type { TraceContext } from './traceContext';
import { accountIn, amountIn, hashIn } from './traceKeys';
import { ownValue } from '../ownValue';
import { formatTable } from '../formatTable';
import { padRight, widestOf } from '../textWidth';

/** Maximum length of a value with its meaning on the same line: an account with a name. */
const longest = 110;

/** One value inside an object, by path. */
interface Leaf {
  path: string;
  value: unknown;
}

/**
 * Every field of one object of the service as aligned lines: name and value, with the meaning. Unknown fields are shown as
 * received, so nothing in an answer is lost. `without` lists fields shown elsewhere.
 */
export function fieldLines(
  object: unknown,
  section: Section,
  context: TraceContext,
  without: readonly string[] = [],
): FieldLine[] {
  const meanings = fieldMeanings[section];
  const rows = leavesOf(object, without)
    .filter(({ value }) => value !== null && value !== undefined)
    .map(({ path, value }) => {
      const known = ownValue(meanings, path) ?? amountsOf(meanings, path);
      return [
        visibleText(path, 80),
        formatField(value, known?.form ?? guess(value), context),
        known?.meaning ?? '',
      ];
    });
  // A BoC would push the meanings off the page: long values do not count for the table's width.
  const table = formatTable(
    rows.map(([name = '', value = '', meaning = '']) =>
      value.length > longest ? [name] : [name, value, meaning],
    ),
    ['left', 'left', 'left'],
  );
  const width = widestOf(rows.map(([name = '']) => name));
  return rows.map(([name = '', value = '', meaning = ''], index) => {
    const text = `${padRight(name, width)}  ${value}`;
    return { text, meaning, wide: value.length > longest ? text : (table[index] ?? '') };
  });
}

/** Keys inside a map of amounts (extra currencies) share the map's meaning. */
function amountsOf(
  meanings: (typeof fieldMeanings)[Section],
  path: string,
): { form: FieldForm; meaning: string } | undefined {
  const parent = ownValue(meanings, path.slice(0, path.lastIndexOf('.')));
  return parent?.form === 'amounts' ? { form: 'count', meaning: parent.meaning } : undefined;
}

/** The values of a nested object in order, without recursion: a damaged file may nest to any depth. */
function leavesOf(object: unknown, without: readonly string[] = []): Leaf[] {
  const skipped = new Set(without);
  const leaves: Leaf[] = [];
  const stack: Leaf[] = [{ path: '', value: object }];
  for (let leaf = stack.pop(); leaf !== undefined; leaf = stack.pop()) {
    const { path, value } = leaf;
    if (path !== '' && skipped.has(path)) {
      continue;
    }
    if (typeof value !== 'object' || value === null) {
      if (path !== '') {
        leaves.push(leaf);
      }
      continue;
    }
    const entries = Object.entries(value as Record<string, unknown>);
    for (let i = entries.length - 1; i >= 0; i--) {
      const [key, inner] = entries[i] as [string, unknown];
      stack.push({ path: path === '' ? key : `${path}.${key}`, value: inner });
    }
  }
  return leaves;
}

/** One value formatted by its meaning; a misfit is shown as received. */
function formatField(value: unknown, form: FieldForm, context: TraceContext): string {
  if (typeof value === 'boolean') {
    return value ? 'yes' : 'no';
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') {
    return visibleText(String(JSON.stringify(value)));
  }
  const text = String(value);
  const amount = amountIn(value);
  switch (form) {
    case 'coins':
      return amount === undefined ? visibleText(text) : `${formatCoins(amount)} ${context.coin}`;
    case 'count':
      return amount === undefined ? visibleText(text) : formatInteger(amount);
    case 'time':
      return amount === undefined ? visibleText(text) : `${formatTime(Number(amount))} (${text})`;
    case 'hash':
      return visibleText(hashIn(text));
    case 'account': {
      const account = accountIn(text);
      return `${context.title(account)}  ${visibleText(account)}`;
    }
    case 'flag':
    case 'name':
    case 'plain':
    case 'amounts':
      return visibleText(text);
  }
}

function guess(value: unknown): FieldForm {
  return typeof value === 'string' && /^-?\d+:[0-9A-Fa-f]{64}$/.test(value) ? 'account' : 'plain';
}
