import * as z from 'zod';
import { readAddressForm, toFriendlyAddress, toRawAddress } from '../address/canonicalAddress';
import { upperHex } from '../address/hash';

/**
 * Values of an answer that are converted: numbers sent as strings, hashes, addresses. Each is a zod codec, for
 * `z.decode` and `z.encode`, and a plain function for the compiled decoder.
 */

/** How the compiled decoder treats a converted value. */
export interface Leaf {
  /** Converts a JSON value; undefined if it has none of the accepted forms. */
  read: (wire: unknown) => unknown;
  /** Whether `read` would succeed; cheaper. */
  check: (wire: unknown) => boolean;
  /** The JSON of a value. */
  write: (value: unknown) => unknown;
  /** Its value is text: in untrusted data, text in no accepted form is kept as is. */
  keepsText: boolean;
  /** For errors: the expected type. */
  expected: string;
  /** For documents: the meaning of the value. */
  type: string;
}

const leaves = new WeakMap<object, Leaf>();

/** The leaf that `schema` is, if it is one. */
export function leafOf(schema: unknown): Leaf | undefined {
  return typeof schema === 'object' && schema !== null ? leaves.get(schema) : undefined;
}

function leaf<Value extends string | number | bigint, Wire extends string | number>(
  type: string,
  expected: string,
  value: z.ZodType<Value>,
  read: (wire: unknown) => Value | undefined,
  write: (value: Value) => Wire,
  check: (wire: unknown) => boolean = (wire) => read(wire) !== undefined,
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
  leaves.set(codec, {
    read,
    check,
    write: (result) => write(result as Value),
    keepsText: value instanceof z.ZodString,
    expected,
    type,
  });
  return codec;
}

const decimal = /^-?\d{1,128}$/;

/** A JSON integer as a bigint; undefined for anything else. */
export function readBigint(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') {
    return value;
  }
  if (typeof value === 'string') {
    return decimal.test(value) ? BigInt(value) : undefined;
  }
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

function isBigint(value: unknown): boolean {
  return typeof value === 'string' ? decimal.test(value) : Number.isSafeInteger(value);
}

function readNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && decimal.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

/** An integer of any size, sent as a decimal string (a JSON number is accepted): amounts in nanocoins, lt, gas. */
export const bigNumber: z.ZodType<bigint, string> = leaf(
  'bigint',
  'a whole number in a string',
  z.bigint(),
  readBigint,
  (value) => String(value),
  isBigint,
);

/** An amount in nanocoins, sent as a JSON number. */
export const amountNumber: z.ZodType<bigint, number> = leaf(
  'bigint',
  'a whole number',
  z.bigint(),
  readBigint,
  Number,
  isBigint,
);

/** A number that fits 53 bits although it is sent as a string: Unix seconds, masterchain seqnos. */
export const numberText: z.ZodType<number, string> = leaf(
  'number',
  'a whole number in a string',
  z.number(),
  readNumber,
  (value) => value.toString(),
);

const anyHex = /^[0-9a-fA-F]{64}$/;

/** Base64 and base64url characters, by char code. */
const isBase64Code = new Uint8Array(256);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_') {
  isBase64Code[character.charCodeAt(0)] = 1;
}

/** 43 characters of base64 and at most one of padding. A loop: three times as fast as a regular expression. */
function isBase64Hash(value: string): boolean {
  if (value.length !== 44 && value.length !== 43) {
    return false;
  }
  for (let index = 0; index < 43; index++) {
    if (isBase64Code[value.charCodeAt(index)] !== 1) {
      return false;
    }
  }
  return value.length === 43 || value.charCodeAt(43) === 61;
}

/** Shared scratch buffer for one hash: allocating one each time would cost more than the conversion. */
const scratch = Buffer.alloc(33);

function readHash(value: unknown): string | undefined {
  if (typeof value !== 'string') {
    return undefined;
  }
  if (isBase64Hash(value)) {
    scratch.write(value, 'base64');
    return scratch.toString('hex', 0, 32);
  }
  if (value === '') {
    return '';
  }
  return anyHex.test(value) ? value.toLowerCase() : undefined;
}

/** Base64; text that is not 64 hex digits is kept. */
function writeHash(hash: string): string {
  return hash.length === 64 && scratch.write(hash, 'hex') === 32 ? scratch.toString('base64', 0, 32) : hash;
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && (isBase64Hash(value) || value === '' || anyHex.test(value));
}

/**
 * A hash, sent in base64 (hex is accepted), as 64 lowercase hex digits. Empty if the service sends an empty string.
 */
export const hashValue: z.ZodType<string, string> = leaf(
  'hash',
  'a 256-bit hash',
  z.string(),
  readHash,
  writeHash,
  isHash,
);

const hexText = /^[0-9a-f]+$/i;

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

/**
 * An address, sent raw or user-friendly, as raw `workchain:hex` in lowercase. Empty if the service sends an empty
 * string.
 */
export const addressValue: z.ZodType<string, string> = leaf(
  'address',
  'an account address',
  z.string(),
  readAddress,
  (raw) => (rawAddressText.test(raw) ? upperHex(raw) : raw),
);

/** Like {@link addressValue}, written user-friendly and bounceable: how v2 writes most addresses. */
export const friendlyAddressValue: z.ZodType<string, string> = leaf(
  'address',
  'an account address',
  z.string(),
  readAddress,
  (raw) =>
    rawAddressText.test(raw)
      ? toFriendlyAddress(readAddressForm(raw), { bounceable: true, testOnly: false })
      : raw,
);

/** Bytes sent in uppercase hex, as lowercase. */
export const hexValue: z.ZodType<string, string> = leaf(
  'hex',
  'hex digits',
  z.string(),
  (value) => (typeof value === 'string' ? (hexText.test(value) ? value.toLowerCase() : value) : undefined),
  (hex) => (hexText.test(hex) ? upperHex(hex) : hex),
);

/** An operation code as `0x` and 8 lowercase hex digits; services of 2024 sent a number. */
export const opcodeValue: z.ZodType<string, string> = leaf(
  'opcode',
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
  'finality',
  'pending, confirmed or finalized',
  z.string(),
  (value) =>
    typeof value === 'number' ? finalityWords[value] : typeof value === 'string' ? value : undefined,
  (value) => value,
);

/** Sets an own property on an object, even if its name is `__proto__`. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[name] = value;
  }
}
