import * as z from 'zod';
import { hashToBase64 } from './hash';
import { readAddressForm, toRawAddress } from './addressForm';

/**
 * The values of an answer that are converted: numbers that travel as strings, hashes, addresses.
 * Each is a zod codec, so that `z.decode` and `z.encode` go both ways, and a plain function for the compiled decoder.
 */

/** Reads one JSON value; undefined when it is none of the accepted forms. */
export type ReadLeaf = (value: unknown) => unknown;

const readers = new WeakMap<z.core.$ZodType, { read: ReadLeaf; expected: string }>();

/** How the compiled decoder reads a converted value, if `schema` is one. */
export function leafReader(schema: z.core.$ZodType): { read: ReadLeaf; expected: string } | undefined {
  return readers.get(schema);
}

function leaf<Value extends string | number | bigint, Wire extends string | number>(
  expected: string,
  value: z.ZodType<Value>,
  read: (wire: unknown) => Value | undefined,
  write: (value: Value) => Wire,
): z.ZodType<Value, Wire> {
  const wire = z.union([z.string(), z.number()]) as unknown as z.ZodType<Wire, Wire>;
  const codec = z.codec(wire, value as unknown as z.ZodType<Value, Value>, {
    decode: (given, context) => {
      const result = read(given);
      if (result === undefined) {
        context.issues.push({ code: 'custom', input: given, message: `expected ${expected}` });
        return z.NEVER;
      }
      return result;
    },
    encode: (result) => write(result),
  });
  readers.set(codec, { read, expected });
  return codec;
}

const decimal = /^-?\d{1,128}$/;

function readBigint(value: unknown): bigint | undefined {
  if (typeof value === 'string') {
    return decimal.test(value) ? BigInt(value) : undefined;
  }
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

function readNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && decimal.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

/** A whole number of any size, sent as a decimal string (a JSON number is read too): amounts in nanocoins, lt, gas. */
export const bigNumber: z.ZodType<bigint, string> = leaf(
  'a whole number in a string',
  z.bigint(),
  readBigint,
  (value) => value.toString(),
);

/** A number that fits 53 bits though it is sent as a string: Unix seconds, masterchain seqnos. */
export const numberText: z.ZodType<number, string> = leaf(
  'a whole number in a string',
  z.number(),
  readNumber,
  (value) => value.toString(),
);

const lowerHex = /^[0-9a-f]{64}$/;
const anyHex = /^[0-9a-fA-F]{64}$/;
const base64Hash = /^[A-Za-z0-9+/_-]{43}=?$/;

function readHash(value: unknown): string | undefined {
  if (typeof value !== 'string') {
    return undefined;
  }
  if ((value.length === 44 || value.length === 43) && base64Hash.test(value)) {
    return Buffer.from(value, 'base64').toString('hex');
  }
  if (value === '') {
    return '';
  }
  return anyHex.test(value) ? value.toLowerCase() : undefined;
}

/** A hash, sent in base64 (hex is read too), as 64 lower-case hex digits. Empty where the service sends an empty string. */
export const hashValue: z.ZodType<string, string> = leaf('a 256-bit hash', z.string(), readHash, (hex) =>
  lowerHex.test(hex) ? hashToBase64(hex) : hex,
);

const rawAddressText = /^-?\d{1,10}:[0-9a-fA-F]{64}$/;

function readAddress(value: unknown): string | undefined {
  if (typeof value !== 'string') {
    return undefined;
  }
  if (rawAddressText.test(value)) {
    return value.toLowerCase();
  }
  if (value === '') {
    return '';
  }
  try {
    return toRawAddress(readAddressForm(value));
  } catch {
    return undefined;
  }
}

/** An address, sent raw or user-friendly, as raw `workchain:hex` in lower case. Empty where the service sends an empty string. */
export const addressValue: z.ZodType<string, string> = leaf(
  'an account address',
  z.string(),
  readAddress,
  (raw) => raw.toUpperCase(),
);

/** An operation code as `0x` and 8 lower-case hex digits; services of 2024 sent a number. */
export const opcodeValue: z.ZodType<string, string> = leaf(
  'an opcode such as 0x0f8a7ea5',
  z.string(),
  (value) => {
    if (typeof value === 'number') {
      return Number.isInteger(value) ? `0x${(value >>> 0).toString(16).padStart(8, '0')}` : undefined;
    }
    return typeof value === 'string' ? value : undefined;
  },
  (value) => value,
);

const finalityWords = ['pending', 'confirmed', 'finalized'];

/** pending, confirmed or finalized (unknown words are kept); the description has them as 0, 1, 2. */
export const finalityValue: z.ZodType<string, string> = leaf(
  'pending, confirmed or finalized',
  z.string(),
  (value) =>
    typeof value === 'number' ? finalityWords[value] : typeof value === 'string' ? value : undefined,
  (value) => value,
);
