import type { CellCursor } from './cellCursor';
import type { PartReader } from './partReader';
import type { StructureField, StructureValue } from './structure';

/** Reads an address (block.tlb: MsgAddress): a plain one is one value, one with unusual parts a record of them. */
export function readAddressParts(
  reader: PartReader,
  cursor: CellCursor,
  allows: 'internal' | 'external' | 'any',
): StructureValue {
  const kind = cursor.peek(2);
  const isInternal = kind.startsWith('1');
  if (kind.length < 2 || (allows === 'internal' && !isInternal) || (allows === 'external' && isInternal)) {
    cursor.fail(kind.length < 2 ? 'an address expected' : `an ${allows} address expected`);
    return reader.misfit(cursor.placeFrom(cursor.bit), cursor.broken ?? '');
  }
  if (kind === '00') {
    cursor.text(2);
    return { kind: 'address', value: undefined, isShort: false };
  }
  if (cursor.peek(3) === '100') {
    cursor.text(3);
    return { kind: 'address', value: `${cursor.int(8)}:${cursor.hex(256)}`, isShort: false };
  }
  cursor.text(2);
  let from = cursor.bit;
  const fields: StructureField[] = [];
  const add = (name: string, value: StructureValue, prefix = ''): StructureValue => {
    fields.push({ name, place: cursor.placeFrom(from), prefix, isReferred: false, value });
    from = cursor.bit;
    return value;
  };
  const number = (bits: number, isSigned = false): StructureValue & { kind: 'number' } => ({
    ...{ kind: 'number', bits, unit: undefined },
    value: isSigned ? cursor.int(bits) : cursor.uint(bits),
  });
  if (isInternal && cursor.text(1) === '1') {
    const depth = number(5);
    add('anycast_depth', depth, '1');
    const bits = Number(depth.value);
    add('rewrite_pfx', { kind: 'bits', value: cursor.hex(bits), bits });
  } else if (isInternal) {
    add('anycast', { kind: 'none' }, '0');
  }
  const length = kind === '10' ? undefined : number(9);
  if (length !== undefined) {
    add('length', length);
  }
  if (isInternal) {
    add('workchain_id', number(kind === '10' ? 8 : 32, true));
  }
  const bits = length === undefined ? 256 : Number(length.value);
  add('address', { kind: 'bits', value: cursor.hex(bits), bits });
  const name = { '01': 'addr_extern', '10': 'addr_std' }[kind] ?? 'addr_var';
  return {
    kind: 'record',
    type: 'MsgAddress',
    name,
    tag: kind,
    tagText: `$${kind}`,
    isExotic: false,
    fields,
  };
}
