import type { TupleItem } from '@ton/core';
import { Cell } from '@ton/core';

/** A value of the VM: those that get-methods take and return, continuations, and what nothing tells. */
export type VmValue =
  | Exclude<TupleItem, { type: 'tuple' }>
  | { type: 'tuple'; items: readonly VmValue[] }
  | { type: 'continuation'; text: string }
  | { type: 'unknown' };

/** How the VM's log marks its kinds of cells: `CS{…}`. */
export const vmCellTypes: ReadonlyMap<string, 'cell' | 'slice' | 'builder'> = new Map([
  ['C', 'cell'],
  ['CS', 'slice'],
  ['BC', 'builder'],
]);

/**
 * The values of a stack as the VM's log prints them, bottom first.
 *
 * @throws Error if the text is not a stack
 */
export function readVmValues(text: string): VmValue[] {
  return readItems(text).map(readValue);
}

/** The last `count` values of a stack, bottom first; fewer if it has fewer. */
export function readTopValues(text: string, count: number): VmValue[] {
  return readItems(text).slice(-count).map(readValue);
}

/** A value that is printed as one word, or the items of a tuple. */
type Item = string | Item[];

/** `1 C{…} [ 2 [] ]`; words hold no spaces, brackets stand alone or as `[]`. */
function readItems(text: string): Item[] {
  const root: Item[] = [];
  const open = [root];
  for (const [word] of text.matchAll(/\[\]|[[\]]|[^\s[\]]+/g)) {
    const current = open.at(-1);
    if (current === undefined) {
      break;
    }
    if (word === '[') {
      const tuple: Item[] = [];
      current.push(tuple);
      open.push(tuple);
    } else if (word === ']') {
      open.pop();
    } else {
      current.push(word === '[]' ? [] : word);
    }
  }
  if (open.length !== 1) {
    throw new Error('the brackets of the stack do not match');
  }
  return root;
}

function readValue(item: Item): VmValue {
  if (typeof item !== 'string') {
    return { type: 'tuple', items: item.map(readValue) };
  }
  if (item === '()' || item === '(null)') {
    return { type: 'null' };
  }
  if (item === 'NaN') {
    return { type: 'nan' };
  }
  const [, kind = '', boc = ''] = /^(C|CS|BC)\{([0-9A-F]+)\}$/.exec(item) ?? [];
  const type = vmCellTypes.get(kind);
  if (type !== undefined) {
    return { type, cell: Cell.fromHex(boc) };
  }
  return /^-?\d+$/.test(item) ? { type: 'int', value: BigInt(item) } : { type: 'continuation', text: item };
}
