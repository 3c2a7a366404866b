import type { StackValue } from '../stack/stackValue';
import type { Comparison } from './callSheet';

/** Compares two numbers with an operator. */
export function compareNumbers(comparison: Comparison, a: bigint, b: bigint): boolean {
  switch (comparison) {
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
  }
}

/** What was expected, for a sentence: `40`, `not 40`, `at least 40`. */
export function expectedWords(comparison: Comparison, text: string): string {
  const words = {
    '==': '',
    '!=': 'not ',
    '<': 'less than ',
    '<=': 'at most ',
    '>': 'more than ',
    '>=': 'at least ',
  };
  return words[comparison] + text;
}

/**
 * Whether two values are equal. The APIs do not always distinguish slices from cells, so only bits and
 * references count; the empty list is null.
 */
export function isSameStack(a: StackValue, b: StackValue): boolean {
  if (isEmptyList(a) && isEmptyList(b)) {
    return true;
  }
  if ('cell' in a && 'cell' in b) {
    return a.cell.equals(b.cell);
  }
  if (a.type !== b.type) {
    return false;
  }
  if ('items' in a && 'items' in b) {
    const others = b.items;
    return a.items.length === others.length && a.items.every((item, index) => isSameAt(item, others[index]));
  }
  return a.type === 'int' && b.type === 'int' ? a.value === b.value : a.type === 'nan';
}

function isSameAt(a: StackValue, b: StackValue | undefined): boolean {
  return b !== undefined && isSameStack(a, b);
}

function isEmptyList(value: StackValue): boolean {
  return value.type === 'null' || (value.type === 'list' && value.items.length === 0);
}
