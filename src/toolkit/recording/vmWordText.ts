import { Cell } from '@ton/core';

/**
 * An entry of a stack, as the VM's log prints it, for people: a number in decimals, a raw address, or a description, such
 * as `cell of 267 bits, 1 reference`.
 */
export function vmWordText(text: string): string {
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
