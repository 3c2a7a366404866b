import { Cell } from '@ton/core';
import { cellToAddress } from '../stack/cellToAddress';
import { vmCellTypes } from './vmValue';

/**
 * An entry of a stack, as the VM's log prints it, for people: a number in decimals, a raw address, or a description, such
 * as `cell of 267 bits, 1 reference`.
 */
export function vmWordText(text: string): string {
  const [, kind = '', boc = ''] = /^(CS|C|BC)\{([0-9A-F]+)\}$/.exec(text) ?? [];
  const type = vmCellTypes.get(kind);
  if (type === undefined) {
    return text === '(null)' || text === '()' ? 'null' : text;
  }
  try {
    return vmCellText(type, Cell.fromHex(boc));
  } catch {
    return text.slice(0, 40);
  }
}

/** A raw address, if a slice is one and nothing else; else `cell of 267 bits, 1 reference`. */
export function vmCellText(type: 'cell' | 'slice' | 'builder', cell: Cell): string {
  const address = type === 'slice' ? cellToAddress(cell) : undefined;
  if (address !== undefined) {
    return address.toRawString();
  }
  const refs = cell.refs.length;
  return `${type} of ${cell.bits.length} bits${refs === 0 ? '' : `, ${refs} reference${refs === 1 ? '' : 's'}`}`;
}
