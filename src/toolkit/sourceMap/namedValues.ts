import { Cell } from '@ton/core';
import { stackTextAt } from '../recording/recording';
import { visibleText } from '../text';
import type { MappedSteps } from './mapSteps';

/** A value on the stack with its name in the source. */
export interface NamedValue {
  name: string;
  /** A number in decimals, a raw address, or a description, such as `cell of 267 bits, 1 reference`. */
  value: string;
}

/** `message.amount = 500` */
export function namedValueText({ name, value }: NamedValue): string {
  return `${visibleText(name)} = ${visibleText(value)}`;
}

const opening = new Set(['(', '[', '{']);
const closing = new Set([')', ']', '}']);

/**
 * The named values on the stack before a step, the deepest first; temporary values have no name. A name that stands for
 * several slots is listed with its value nearest to the top.
 */
export function namedValues({ recording, map, names }: MappedSteps, step: number): NamedValue[] {
  const known = map.names[names[step] ?? -1];
  if (known === undefined) {
    return [];
  }
  const values = splitStack(stackTextAt(recording, step));
  const first = values.length - known.length;
  const named = new Map<string, string>();
  known.forEach((name, slot) => {
    const text = values[first + slot];
    if (name !== '' && text !== undefined) {
      named.set(name, valueText(text));
    }
  });
  return [...named].map(([name, value]) => ({ name, value }));
}

/** The entries of a stack as the VM prints it. */
export function splitStack(text: string): string[] {
  const entries: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const char = text[at];
    if (char === undefined || (char === ' ' && depth === 0)) {
      if (at > start) {
        entries.push(text.slice(start, at));
      }
      start = at + 1;
    } else if (opening.has(char)) {
      depth += 1;
    } else if (closing.has(char)) {
      depth -= 1;
    }
  }
  return entries;
}

function valueText(text: string): string {
  const [, kind, boc] = /^(CS|C|BC)\{([0-9A-F]+)\}$/.exec(text) ?? [];
  if (kind === undefined || boc === undefined) {
    return text === '(null)' || text === '()' ? 'null' : text;
  }
  try {
    return cellText(kind, Cell.fromHex(boc));
  } catch {
    return text.slice(0, 40);
  }
}

function cellText(kind: string, cell: Cell): string {
  if (kind === 'CS') {
    const address = cell.bits.length === 267 ? cell.beginParse().loadMaybeAddress() : null;
    if (address !== null) {
      return address.toRawString();
    }
  }
  const refs = cell.refs.length;
  const words = { CS: 'slice', C: 'cell', BC: 'builder' }[kind] ?? 'cell';
  return `${words} of ${cell.bits.length} bits${refs === 0 ? '' : `, ${refs} reference${refs === 1 ? '' : 's'}`}`;
}
