import type { Cell } from '@ton/core';
import { bouncedTag } from './decodeBody';

/** Names of messages by the keys of their prefixes ({@link prefixKey}). */
export type MessageNames = ReadonlyMap<number, string>;

const wholeBits = 32;
/** Shorter prefixes tell parts of data apart: by them alone, too many bodies would have a name. */
const fewestBits = 8;

/** The number that a prefix has in a table of names: one of 32 bits is the opcode. Undefined for one that names nothing. */
export function prefixKey({ value, bits }: { value: bigint | number; bits: number }): number | undefined {
  const number = Number(value);
  return bits < fewestBits || bits > wholeBits || number >= 2 ** bits ? undefined : keyOf(number, bits);
}

/** The name of the message with a body: by the longest prefix that it begins with. */
export function nameOfBody(names: MessageNames, body: Cell): string | undefined {
  if (body.isExotic) {
    return undefined;
  }
  const bits = Math.min(wholeBits, body.bits.length);
  return nameOfHead(names, body.beginParse().preloadUint(bits), bits);
}

/** The name of the message whose body begins with these 32 bits. */
export function nameOfOpcode(names: MessageNames, opcode: number): string | undefined {
  return nameOfHead(names, opcode, wholeBits);
}

function nameOfHead(names: MessageNames, head: number, length: number): string | undefined {
  // A bounced body begins with a tag of its own.
  const fewest = length === wholeBits && head === bouncedTag ? wholeBits : fewestBits;
  for (let bits = length; bits >= fewest; bits -= 1) {
    const name = names.get(keyOf(Math.floor(head / 2 ** (length - bits)), bits));
    if (name !== undefined) {
      return name;
    }
  }
  return undefined;
}

/** Above all opcodes for shorter prefixes, so that leading zeros count. */
function keyOf(value: number, bits: number): number {
  return bits === wholeBits ? value : (bits + 1) * 2 ** wholeBits + value;
}
