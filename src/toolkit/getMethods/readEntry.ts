import type { Cell } from '@ton/core';
import { evidentTokenContent } from '../cell/tokenContent';
import type { StackValue } from '../stack/stackValue';
import { cellToAddress, cellToString } from '../stack/stackValue';
import type { Decoded, ResultEntry } from './getMethodResult';

/**
 * A value with its recognized meaning.
 *
 * @param isAmbiguous the API tags slices `cell` as well: then an address or text is read as a slice, anything else as
 *   a cell, and `readAs` says so
 */
export function readEntry(value: StackValue, isAmbiguous = false): ResultEntry {
  switch (value.type) {
    case 'int':
      return { type: value.type, value, decoded: { kind: 'number', value: value.value } };
    case 'nan':
    case 'null':
      return { type: value.type, value, decoded: { kind: value.type } };
    case 'tuple':
    case 'list':
      return {
        type: value.type,
        value,
        decoded: { kind: 'items', items: value.items.map((item) => readEntry(item)) },
      };
    case 'unsupported':
      return { type: value.type, value, decoded: { kind: 'unsupported', description: value.description } };
    case 'slice':
      return { type: 'slice', value, decoded: readSlice(value.cell) ?? readCell(value.cell) };
    case 'builder':
      return { type: 'builder', value, decoded: readCell(value.cell) };
    case 'cell':
      return isAmbiguous ? readEither(value.cell) : { type: 'cell', value, decoded: readCell(value.cell) };
  }
}

function readEither(cell: Cell): ResultEntry {
  const asSlice = readSlice(cell);
  const decoded = asSlice ?? readCell(cell);
  const readAs = asSlice === undefined ? 'cell' : 'slice';
  return { type: readAs, value: { type: readAs, cell }, decoded, readAs };
}

/** Meanings that only slices have: an address, or a text without a prefix. */
function readSlice(cell: Cell): Decoded | undefined {
  const address = cellToAddress(cell);
  if (address !== undefined) {
    return { kind: 'address', address: address.toRawString() };
  }
  if (
    !cell.isExotic &&
    cell.refs.length === 0 &&
    cell.bits.length === 2 &&
    !cell.bits.at(0) &&
    !cell.bits.at(1)
  ) {
    return { kind: 'address', address: null };
  }
  const text = cellToString(cell);
  return text !== undefined && looksLikeText(text) ? { kind: 'text', text, form: 'plain' } : undefined;
}

/** Meanings of cells: a text after 32 zero bits (a comment) or after the byte 1 (off-chain content, TEP-64). */
function readCell(cell: Cell): Decoded {
  const content = evidentTokenContent(cell);
  if (content?.layout === 'onchain') {
    return { kind: 'content', cell, content };
  }
  const plain = cellToString(cell);
  if (plain?.startsWith('\u0000\u0000\u0000\u0000') === true && looksLikeText(plain.slice(4))) {
    return { kind: 'text', text: plain.slice(4), form: 'comment' };
  }
  if (plain?.startsWith('\u0001') === true && looksLikeText(plain.slice(1))) {
    return { kind: 'text', text: plain.slice(1), form: 'off-chain content' };
  }
  if (plain !== undefined && looksLikeText(plain)) {
    return { kind: 'text', text: plain, form: 'plain' };
  }
  return { kind: 'cell', cell };
}

/** Bytes of readable text: at least two characters, without control characters other than line breaks and tabs. */
function looksLikeText(text: string): boolean {
  return text.length >= 2 && !/[^\P{C}\n\r\t\p{Cf}]/u.test(text);
}
