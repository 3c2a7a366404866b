import type { AbiType, SimpleKind } from './abiType';
import { ownValue } from '../ownValue';

const simple: Readonly<Record<string, SimpleKind>> = {
  Bool: 'bool',
  Address: 'address',
  Cell: 'cell',
  Slice: 'slice',
  Builder: 'builder',
  String: 'string',
  StringBuilder: 'tuple',
};

/** A built-in Tact type with its serialization, which bounds numbers. */
export function tactType(name: string, format: string | undefined): AbiType {
  if (name === 'Int') {
    const sized = /^(u?)int(\d+)$/.exec(format ?? '');
    if (sized !== null) {
      return { kind: 'int', bits: Number(sized[2]), signed: sized[1] === '' };
    }
    return format === 'coins' || format === 'varuint16' ? { kind: 'coins' } : { kind: 'int' };
  }
  const kind = ownValue(simple, name);
  return kind === undefined ? { kind: 'named', name, arguments: [] } : { kind };
}
