import type { AbiType } from '../abi/abiType';
import type { LayoutType } from './cellLayout';

type NumberLayout = Extract<LayoutType, { kind: 'int' | 'uint' | 'varint' | 'varuint' | 'coins' }>;

/** The stack type of a number stored in a cell, with the same range. */
export function stackTypeOf(type: NumberLayout): Extract<AbiType, { kind: 'int' | 'coins' }> {
  switch (type.kind) {
    case 'coins':
      return { kind: 'coins' };
    case 'int':
    case 'uint':
      return { kind: 'int', bits: type.bits, signed: type.kind === 'int' };
    default:
      return {
        kind: 'int',
        bits: type.lengthBits === 4 ? 120 : 248,
        signed: type.kind === 'varint',
        isVariable: true,
      };
  }
}
