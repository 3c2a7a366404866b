import type { AbiType } from './abiType';

/** How to write a value of a type, as a sentence; empty if its name explains itself. */
export function exampleOf(type: AbiType): string {
  switch (type.kind) {
    case 'int':
      return 'For example 42, -1 or 0x2a.';
    case 'coins':
      return 'For example 1.5ton, or nanocoins.';
    case 'address':
      return 'Any form of an address, or the name of an account.';
    case 'string':
      return 'For example "text".';
    case 'cell':
    case 'cellOf':
    case 'slice':
    case 'builder':
      return 'For example te6cc…, x{4A_} or b(u32 7, coins 1ton).';
    case 'map':
      return 'For example {1: 2, 3: 4}.';
    case 'struct':
      return `For example {${type.fields.map(({ name }) => `${name}: …`).join(', ')}}.`;
    case 'tensor':
      return 'For example (1, 2).';
    case 'typedTuple':
    case 'tuple':
      return 'For example [1, 2].';
    default:
      return '';
  }
}

/** CRC-16/XMODEM of the name, with the bit that marks a name's id: `seqno` is 85143. */
export function methodIdOf(name: string): number {
  let crc = 0;
  for (const byte of Buffer.from(name)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc & 0x8000) !== 0 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1;
    }
  }
  return crc | 0x10000;
}
