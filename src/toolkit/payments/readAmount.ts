import { fitsCoins } from '../base/numberWidths';

/** Decimal digits that a JSON number carries exactly, whatever the value. */
const exactDigits = 15;

/** An amount in human units and in base units, or why it is refused. */
export type ReadAmount = { amount: string; units: bigint } | { problem: string };

/**
 * The amount of a create request, from the characters of its JSON number: once parsed, a lost digit could not be seen
 * any more.
 *
 * @param literal the number as written in the JSON
 */
export function readAmount(literal: string, decimals: number): ReadAmount {
  const number = readLiteral(literal);
  if (number === undefined) {
    return { problem: 'amount must be a JSON number in units of the asset, such as 1.5' };
  }
  const { digits, exponent } = number;
  if (digits === '' || literal.startsWith('-')) {
    return { problem: 'amount must be above 0' };
  }
  if (!isExact(digits, exponent)) {
    return {
      problem: `amount has lost precision: a JSON number carries ${exactDigits} digits exactly, whole numbers up to 2^53; ${literal.slice(0, 40)} has more`,
    };
  }
  if (-exponent > decimals) {
    return { problem: `amount has more than the asset's ${decimals} decimals` };
  }
  const units = BigInt(digits + '0'.repeat(decimals + exponent));
  return fitsCoins(units)
    ? { amount: plainDecimal(digits, exponent), units }
    : { problem: `amount does not fit in 120 bits with the asset's ${decimals} decimals` };
}

/** Whether no other amount is written the same as a JSON number: fifteen digits, or a whole number up to 2^53. */
function isExact(digits: string, exponent: number): boolean {
  if (exponent >= 0) {
    return digits.length + exponent <= 16 && Number(digits + '0'.repeat(exponent)) <= Number.MAX_SAFE_INTEGER;
  }
  return digits.length <= exactDigits && digits.length + exponent <= exactDigits;
}

/** The significant digits, and the power of ten of the last of them. */
function readLiteral(literal: string): { digits: string; exponent: number } | undefined {
  const match = /^-?(\d{1,400})(?:\.(\d{1,400}))?(?:[eE]([+-]?\d{1,4}))?$/.exec(literal);
  if (match === null) {
    return undefined;
  }
  const [, whole = '', fraction = '', power = '0'] = match;
  const all = trimmedEnd(whole + fraction);
  const digits = trimmedStart(all);
  return {
    digits,
    exponent: Number(power) - fraction.length + (whole.length + fraction.length - all.length),
  };
}

function plainDecimal(digits: string, exponent: number): string {
  if (exponent >= 0) {
    return digits + '0'.repeat(exponent);
  }
  const padded = digits.padStart(1 - exponent, '0');
  return `${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

function trimmedStart(text: string): string {
  let start = 0;
  while (text[start] === '0') {
    start += 1;
  }
  return text.slice(start);
}

function trimmedEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '0') {
    end -= 1;
  }
  return text.slice(0, end);
}
