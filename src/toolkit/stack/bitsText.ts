import { BitString } from '@ton/core';

/** Bits, or why the text is invalid; `index` is the position in the text. */
export type BitsReading = { bits: BitString } | { problem: string; index: number; length: number };

/**
 * Reads the inside of `x{…}` in Fift notation: hex digits; a closing `_` drops the last 1 bit and the zeros after it.
 */
export function readBits(text: string): BitsReading {
  const wrong = /[^0-9a-f_]/i.exec(text) ?? /_(?!$)/.exec(text);
  if (wrong !== null) {
    const reason = wrong[0] === '_' ? '“_” is only allowed at the end' : `“${wrong[0]}” is not a hex digit`;
    return { problem: reason, index: wrong.index, length: wrong[0].length };
  }
  const tagged = text.endsWith('_');
  const digits = tagged ? text.slice(0, -1) : text;
  let length = digits.length * 4;
  if (tagged) {
    const lastOne = lastSetBit(digits);
    if (lastOne === undefined) {
      return { problem: '“_” must follow a 1 bit, which it drops', index: text.length - 1, length: 1 };
    }
    length = lastOne;
  }
  if (length > 1023) {
    return { problem: `a cell holds 1023 bits, not ${length}`, index: 0, length: text.length };
  }
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
  return { bits: new BitString(bytes, 0, length) };
}

/** `x{…}` with the completion tag if the bits do not fill their last hex digit. */
export function printBits(bits: BitString): string {
  return `x{${bits.toString()}}`;
}

/** Index of the last 1 bit of a hex number, counted from the left; undefined if there is none. */
function lastSetBit(digits: string): number | undefined {
  for (let index = digits.length - 1; index >= 0; index--) {
    const digit = Number.parseInt(digits.charAt(index), 16);
    if (digit !== 0) {
      return index * 4 + 3 - Math.log2(digit & -digit);
    }
  }
  return undefined;
}
