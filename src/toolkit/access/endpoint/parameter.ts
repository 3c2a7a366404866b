import * as z from 'zod';
import { readAddressForm, toRawAddress } from '../../address/canonicalAddress';
import { parseHashInput } from '../../address/hash';
import { isBocHex } from '../../cell/bocMagics';
import { WorkbenchError } from '../../base/errors';

/** A parameter's type: decides how it is asked for, checked, and sent. */
export type ParameterKind =
  | 'address'
  | 'hash'
  | 'integer'
  | 'int64'
  | 'time'
  | 'shard'
  | 'opcode'
  | 'boolean'
  | 'text'
  | 'choice'
  | 'boc'
  | 'method'
  | 'stack'
  | 'json';

/** One parameter of an endpoint: everything the client, the CLI, the editor's prompts, and the documents need. */
export interface Parameter<Input = unknown, Required extends boolean = boolean> {
  readonly kind: ParameterKind;
  /** One sentence for people: meaning, unit, accepted forms. */
  readonly meaning: string;
  readonly required: Required;
  /** Can be repeated: a query repeats the key, a body holds an array. */
  readonly repeated: boolean;
  readonly choices?: readonly string[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** The public services' maximum. Others may accept more: this is documentation and rejects nothing. */
  readonly usualMaximum?: number | undefined;
  /** The lower maximum of v2's Python variant (API 2.0). */
  readonly maximumOnPython?: number | undefined;
  /** What the service assumes if it is omitted; sent explicitly if the service requires it. */
  readonly default?: string | number | boolean | undefined;
  /** Maximum number of values on the public services; documentation only, too. */
  readonly usualItems?: number | undefined;
  /** Its name on other versions of the service: callers may use either, and it is tried if the first is refused. */
  readonly otherName?: string | undefined;
  /** Sent exactly as given: the endpoint is about the form itself. */
  readonly asTyped?: boolean | undefined;
  /** The word `null` is also valid: no account. */
  readonly takesNull?: boolean | undefined;
  /**
   * Reads one value in any accepted form (text too) into its canonical one: raw lowercase address, lowercase hex
   * hash, number, bigint, boolean, text.
   */
  readonly schema: z.ZodType<Canonical, Input>;
}

/** A parameter value in its canonical form. */
export type Canonical = string | number | bigint | boolean | readonly unknown[] | Record<string, unknown>;

export type ParameterTable = Readonly<Record<string, Parameter>>;

/** An address text in any usual form, or an object with `toRawString` such as the Address of @ton/core. */
export type AddressInput = string | { toRawString(): string };

type Details = Partial<Omit<Parameter, 'kind' | 'meaning' | 'required' | 'repeated' | 'schema'>>;

/** A reason to reject a value; becomes a zod issue with its position. */
const refuse = (message: string): WorkbenchError =>
  new WorkbenchError({ code: 'parameter-refused', kind: 'input', message });

function parameter<Input>(
  kind: ParameterKind,
  meaning: string,
  read: (value: unknown) => Canonical,
  details: Details = {},
): Parameter<Input, false> {
  const schema = z.unknown().transform((value, context): Canonical => {
    try {
      return read(value);
    } catch (error) {
      if (!(error instanceof WorkbenchError)) {
        throw error;
      }
      context.issues.push({ code: 'custom', input: value, message: error.message, params: error.details });
      return z.NEVER;
    }
  }) as unknown as z.ZodType<Canonical, Input>;
  return { kind, meaning, required: false, repeated: false, ...details, schema };
}

/** The same parameter, but required. */
export function required<Input>(optional: Parameter<Input>): Parameter<Input, true> {
  return { ...optional, required: true };
}

/** A repeatable parameter: one value or a list. */
export function list<Input>(
  one: Parameter<Input, false>,
  usualItems?: number,
): Parameter<Input | readonly Input[], false> {
  return {
    ...one,
    repeated: true,
    usualItems,
    schema: one.schema,
  };
}

/** An account address in any usual form. */
export function address(meaning: string, details?: Details): Parameter<AddressInput, false> {
  return parameter(
    'address',
    meaning,
    (value) => {
      const input = isAddressObject(value) ? value.toRawString() : value;
      if (details?.takesNull && input === 'null') {
        return input;
      }
      const form = readAddressForm(textOf(input, 'an address'));
      return details?.asTyped && typeof input === 'string' ? input.trim() : toRawAddress(form);
    },
    details,
  );
}

/** A 256-bit hash in any usual form. */
export function hash(meaning: string, details?: Details): Parameter<string, false> {
  return parameter(
    'hash',
    meaning,
    (value) => {
      const text = textOf(value, 'a hash');
      const hex = parseHashInput(text);
      return details?.asTyped ? text.trim() : hex;
    },
    details,
  );
}

/** An integer of at most 32 bits. */
export function integer(meaning: string, details: Details = {}): Parameter<number, false> {
  const minimum = details.minimum ?? -(2 ** 31);
  const maximum = details.maximum ?? 2 ** 32 - 1;
  return parameter(
    'integer',
    meaning,
    (value) => {
      const number = readInteger(value);
      if (number < minimum || number > maximum) {
        throw refuse(`${number} is not between ${minimum} and ${maximum}.`);
      }
      return Number(number);
    },
    details,
  );
}

/** A moment in Unix seconds; text may also be an ISO date such as `2026-01-31` or `2026-01-31T12:00Z`. */
export function time(meaning: string): Parameter<number, false> {
  return parameter(
    'time',
    meaning,
    (value) => {
      const moment =
        typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value.trim()) ? Date.parse(value) : NaN;
      const seconds = Number.isNaN(moment) ? readInteger(value) : BigInt(Math.floor(moment / 1000));
      if (seconds < 0n || seconds >= 2n ** 32n) {
        throw refuse(`${seconds} is not a time in Unix seconds.`);
      }
      return Number(seconds);
    },
    { minimum: 0 },
  );
}

/** A 64-bit integer: bigint, safe number, or decimal text. */
export function int64(meaning: string, details: Details = {}): Parameter<bigint | number | string, false> {
  const minimum = details.minimum === undefined ? -(2n ** 63n) : BigInt(details.minimum);
  return parameter(
    'int64',
    meaning,
    (value) => {
      const number = readInteger(value);
      if (number < minimum || number >= 2n ** 63n) {
        throw refuse(`${number} is not between ${minimum} and 2^63-1.`);
      }
      return number;
    },
    details,
  );
}

/**
 * A shard id, canonical as 16 lowercase hex digits. Text of at most 16 hex digits (with or without 0x) is hex, as v3
 * writes it; text with a minus sign or more than 16 digits is decimal, as v2 writes it.
 */
export function shard(meaning: string): Parameter<bigint | string, false> {
  return parameter('shard', meaning, (value) => {
    const text = typeof value === 'bigint' ? value.toString() : textOf(value, 'a shard id').trim();
    const isHex = typeof value !== 'bigint' && /^(?:0x)?[0-9a-f]{1,16}$/i.test(text);
    if (!isHex && !/^-?\d{1,20}$/.test(text)) {
      throw refuse(
        `${JSON.stringify(text)} is not a shard id such as 8000000000000000 or -9223372036854775808.`,
      );
    }
    const number = BigInt(isHex ? `0x${text.replace(/^0x/i, '')}` : text);
    if (number < -(2n ** 63n) || number >= 2n ** 64n) {
      throw refuse(`${text} does not fit 64 bits.`);
    }
    return BigInt.asUintN(64, number).toString(16).padStart(16, '0');
  });
}

/** A 32-bit operation code, canonical as `0x` and 8 hex digits. Text without 0x is hex too, as the service reads it. */
export function opcode(meaning: string): Parameter<number | string, false> {
  return parameter('opcode', meaning, (value) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 32) {
      return `0x${(value >>> 0).toString(16).padStart(8, '0')}`;
    }
    const text = textOf(value, 'an opcode').trim();
    if (/^(?:0x)?[0-9a-f]{1,8}$/i.test(text)) {
      return `0x${text.replace(/^0x/i, '').toLowerCase().padStart(8, '0')}`;
    }
    throw refuse(`${JSON.stringify(text)} is not an opcode of up to 8 hex digits such as 0x0f8a7ea5.`);
  });
}

/** true or false. */
export function flag(meaning: string, details?: Details): Parameter<boolean, false> {
  return parameter(
    'boolean',
    meaning,
    (value) => {
      if (typeof value === 'boolean') {
        return value;
      }
      const text = textOf(value, 'true or false').trim().toLowerCase();
      if (text === 'true' || text === '1') {
        return true;
      }
      if (text === 'false' || text === '0') {
        return false;
      }
      throw refuse(`${JSON.stringify(text)} is neither true nor false.`);
    },
    details,
  );
}

/** A text, not empty; with `pattern` only one that matches. */
export function text(
  meaning: string,
  { pattern, ...details }: Details & { pattern?: RegExp } = {},
): Parameter<string, false> {
  return parameter(
    'text',
    meaning,
    (value) => {
      const given = textOf(value, 'a text').trim();
      if (given === '' || pattern?.test(given) === false) {
        throw refuse(given === '' ? 'It is empty.' : `${JSON.stringify(given)} has the wrong format.`);
      }
      return given;
    },
    details,
  );
}

/** One word of a list. With `open`, other words are passed on: the service may know more than its description. */
export function choice<const Choice extends string>(
  meaning: string,
  choices: readonly Choice[],
  { open = false, ...details }: Details & { open?: boolean } = {},
): Parameter<Choice | (string & {}), false> {
  return parameter(
    'choice',
    meaning,
    (value) => {
      const word = textOf(value, 'a word').trim();
      const known = choices.find((one) => one.toLowerCase() === word.toLowerCase());
      if (known === undefined && (!open || word === '')) {
        throw refuse(`${JSON.stringify(word)} is not one of ${choices.join(', ')}.`);
      }
      return known ?? word;
    },
    { ...details, choices },
  );
}

/** A bag of cells: base64 (either alphabet) or hex, canonical as padded standard base64. */
export function boc(meaning: string): Parameter<string | Uint8Array, false> {
  return parameter('boc', meaning, (value) => {
    if (value instanceof Uint8Array) {
      return Buffer.from(value).toString('base64');
    }
    const given = textOf(value, 'a bag of cells').replace(/\s+/g, '');
    const isHex = /^(?:[0-9a-f]{2})+$/i.test(given) && isBocHex(given);
    if (!isHex && !/^[A-Za-z0-9+/_-]+={0,2}$/.test(given)) {
      throw refuse(
        given === '' ? 'The bag of cells is empty.' : 'The bag of cells is neither base64 nor hex.',
      );
    }
    return Buffer.from(given, isHex ? 'hex' : 'base64').toString('base64');
  });
}

/** A get-method: its name, or its number as an integer. */
export function method(meaning: string): Parameter<string | number, false> {
  return parameter('method', meaning, (value) => {
    if (typeof value === 'number' && Number.isInteger(value)) {
      return value;
    }
    const name = textOf(value, 'a method name').trim();
    if (name === '') {
      throw refuse('The method name is empty.');
    }
    return /^-?\d+$/.test(name) ? Number(name) : name;
  });
}

/** The arguments of a get-method in the layer's own wire format, none if omitted; text is parsed as JSON. */
export function stack<Entry>(meaning: string): Parameter<readonly Entry[], false> {
  const read = (value: unknown): unknown[] => {
    const entries = readJson(value);
    if (!Array.isArray(entries)) {
      throw refuse('The stack is not a list.');
    }
    return entries as unknown[];
  };
  return parameter('stack', meaning, read, { default: '[]' });
}

/** A JSON object; text is parsed as JSON. */
export function json(meaning: string, details?: Details): Parameter<Record<string, unknown>, false> {
  return parameter(
    'json',
    meaning,
    (value) => {
      const object = readJson(value);
      if (typeof object !== 'object' || object === null || Array.isArray(object)) {
        throw refuse('This is not a JSON object.');
      }
      return object as Record<string, unknown>;
    },
    details,
  );
}

function readJson(value: unknown): unknown {
  if (typeof value !== 'string') {
    return value;
  }
  try {
    return JSON.parse(value) as unknown;
  } catch (error) {
    throw refuse(`This is not JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function readInteger(value: unknown): bigint {
  if (typeof value === 'bigint') {
    return value;
  }
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    return BigInt(value);
  }
  const digits = typeof value === 'string' ? value.trim() : '';
  if (!/^-?\d{1,40}$/.test(digits)) {
    throw refuse(`${JSON.stringify(String(value))} is not a whole number.`);
  }
  return BigInt(digits);
}

function textOf(value: unknown, expected: string): string {
  if (typeof value === 'string') {
    return value;
  }
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
    return String(value);
  }
  throw refuse(`Expected ${expected}.`);
}

function isAddressObject(value: unknown): value is { toRawString(): string } {
  return typeof value === 'object' && value !== null && 'toRawString' in value;
}

/** The message parameter of endpoints that send one. */
export const externalMessage = required(boc('The external message as a BoC, base64 or hex.'));

/** Parameters of estimateFee in both APIs, without ignore_chksig, whose default differs. */
export const estimateFeeParameters = {
  address: required(address('Destination account of the message.')),
  body: required(boc('Body of the message as a BoC, base64 or hex.')),
  init_code: boc('Code of the state init, if the account is not deployed yet.'),
  init_data: boc('Data of the state init, if the account is not deployed yet.'),
};
