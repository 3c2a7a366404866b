import { shortenMiddle } from '../text';
import { withoutTrailing } from '../withoutTrailing';

/** A line of code, and below it what its names stand for. */
export interface CodeWithValues {
  code: string;
  /** Aligned under the code in a font of equal letters; empty if nothing of it is known. */
  values: string;
}

/** What a value is that is not known. */
const notKnown = '?';
/** Longer values, such as addresses, are shortened. */
const longest = 24;

const tokenPattern =
  /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*|0x[0-9a-fA-F]+|\d[\d_]*|==|!=|<=|>=|&&|\|\||<<|>>|[-+*/%<>!&|^]/g;

/**
 * A line that threw, without what it throws, and the values of its names under them:
 *
 *     assert (st.spent + amount <= st.limit)
 *             6 TON    + 6 TON  <= 10 TON
 *
 * @param values by name, as the source writes it: `st.spent`
 * @param unknown names of variables without a value: each has a `?`
 */
export function valuesUnder(
  text: string,
  values: ReadonlyMap<string, string>,
  unknown: ReadonlySet<string> = new Set(),
): CodeWithValues {
  const code = conditionOf(text);
  const items = [...code.matchAll(tokenPattern)].flatMap(({ 0: word, index }) => {
    const isName = /^[A-Za-z_$]/.test(word);
    const value = isName ? valueOf(word, values, unknown) : word;
    const isOperand = isName || /^\d/.test(word);
    return value === undefined ? [] : [{ column: index, text: value, isOperand, isName }];
  });
  if (!items.some(({ isName, text: value }) => isName && value !== notKnown)) {
    return { code, values: '' };
  }
  let line = '';
  for (const [index, { column, text: value, isOperand }] of items.entries()) {
    // An operator says nothing without what stands on its sides.
    if (isOperand || (index > 0 && items[index + 1]?.isOperand === true)) {
      const at = Math.max(column, line === '' ? 0 : line.length + 1);
      line = line.padEnd(at) + value;
    }
  }
  return { code, values: line };
}

/** What a line checks: the code it throws has its place in the verdict. */
function conditionOf(text: string): string {
  const [withoutComment = ''] = text.split(/\/\/|;;/);
  const code = withoutTrailing(withoutComment, ' \t\r\n;,{');
  const [, condition] = /^(assert\s*\(.*\))\s*throw\b/.exec(code) ?? [];
  return condition ?? code;
}

function valueOf(
  path: string,
  values: ReadonlyMap<string, string>,
  unknown: ReadonlySet<string>,
): string | undefined {
  const parts = path.split('.');
  for (let count = parts.length; count > 0; count -= 1) {
    const name = parts.slice(0, count).join('.');
    const value = values.get(name);
    if (value !== undefined) {
      return value.length > longest ? shortenMiddle(value) : value;
    }
    if (unknown.has(name)) {
      return notKnown;
    }
  }
  return undefined;
}
