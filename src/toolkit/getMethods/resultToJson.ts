import type { BitString } from '@ton/core';
import { beginCell } from '@ton/core';
import * as z from 'zod';
import type { AbiType } from '../contracts/abi/abiType';
import { typeText } from '../contracts/abi/abiType';
import type { GetMethodSignature } from '../contracts/abi/getMethodSignature';
import { jsonFacts } from '../base/jsonFacts';
import type { StackValue } from '../stack/stackValue';
import { encodeCell } from '../stack/encodeV3Stack';
import { readTyped } from '../contracts/layouts/readTyped';
import type { TypedValue } from '../contracts/layouts/typedValue';
import type { Decoded, GetMethodResult, ResultEntry } from './getMethodResult';
import { isSuccess } from './getMethodResult';
import { readEntry } from './readEntry';

/** An entry of the CLI's answer. Numbers are decimal strings, cells base64, addresses raw in lowercase. */
interface JsonEntry {
  type: string;
  readAs?: 'cell' | 'slice' | undefined;
  value: string | null | JsonEntry[];
  decoded: JsonDecoded;
}

type JsonDecoded =
  | string
  | null
  | { bits: number; refs: number; hash: string }
  /** Token content (TEP-64). */
  | { layout: string; attributes: Record<string, string> }
  | JsonDecoded[];

const unreadCell = z.strictObject({ bits: z.int(), refs: z.int(), hash: jsonFacts.hash });

const decodedSchema: z.ZodType<JsonDecoded> = z
  .lazy(() =>
    z.union([
      z.string(),
      z.null(),
      unreadCell,
      z
        .strictObject({ layout: z.string(), attributes: z.record(z.string(), z.string()) })
        .describe('Token content (TEP-64).'),
      z.array(decodedSchema),
    ]),
  )
  .meta({
    id: 'Decoded',
    description:
      'The value in its plainest form: decimal text, raw address, text, null, the decoded items of a tuple or list, or ' +
      '`{bits, refs, hash}` of an unrecognized cell.',
  });

/** The schema of an entry of the stack. */
const entrySchema: z.ZodType<JsonEntry> = z
  .strictObject({
    type: z.enum(['num', 'nan', 'null', 'cell', 'slice', 'builder', 'tuple', 'list', 'unsupported']),
    readAs: z
      .enum(['cell', 'slice'])
      .optional()
      .describe('The service only says "a cell or a slice": `type` and `decoded` are an interpretation.'),
    value: z.union([z.string(), z.null(), z.array(z.lazy(() => entrySchema))]),
    decoded: decodedSchema,
  })
  .meta({ id: 'StackEntry', description: 'Numbers are decimal text, cells base64.' });

/** One entry of the stack. */
function entryToJson(entry: ResultEntry): JsonEntry {
  const { decoded } = entry;
  const items = decoded.kind === 'items' ? decoded.items.map(entryToJson) : [];
  return {
    type: entry.type === 'int' ? 'num' : entry.type,
    ...(entry.readAs === undefined ? {} : { readAs: entry.readAs }),
    value: scalarToJson(entry.value) ?? (decoded.kind === 'items' ? items : null),
    decoded: decodedToJson(decoded, items),
  };
}

function scalarToJson(value: StackValue): string | undefined {
  switch (value.type) {
    case 'int':
      return value.value.toString();
    case 'nan':
      return 'NaN';
    case 'cell':
    case 'slice':
    case 'builder':
      return encodeCell(value.cell);
    default:
      return undefined;
  }
}

function decodedToJson(decoded: Decoded, items: readonly JsonEntry[]): JsonDecoded {
  switch (decoded.kind) {
    case 'number':
      return decoded.value.toString();
    case 'nan':
      return 'NaN';
    case 'null':
      return null;
    case 'address':
      return decoded.address;
    case 'text':
      return decoded.text;
    case 'cell': {
      const { bits, refs } = decoded.cell;
      return { bits: bits.length, refs: refs.length, hash: decoded.cell.hash().toString('hex') };
    }
    case 'content':
      return { layout: decoded.content.layout, attributes: decoded.content.attributes };
    case 'items':
      return items.map((item) => item.decoded);
    case 'unsupported':
      return decoded.description;
  }
}

/** A value by its type: numbers and coins as decimal strings, a struct as an object, a map as its entries, a typed cell as its content. */
type JsonTyped =
  | JsonDecoded
  | boolean
  | { member: string; value: string }
  | { variant: string; value: JsonTyped }
  | JsonTyped[]
  | { [field: string]: JsonTyped };

const typedValueSchema: z.ZodType<JsonTyped> = z
  .lazy(() =>
    z.union([
      z.string(),
      z.boolean(),
      z.null(),
      z.strictObject({ bits: z.int(), refs: z.int(), hash: jsonFacts.hash }),
      z.array(typedValueSchema),
      z.record(z.string(), typedValueSchema),
    ]),
  )
  .meta({
    id: 'TypedValue',
    description:
      'A value by its type: numbers and coins as decimal text, whole bytes of bits in hex, a struct as an object, a map as its entries, a typed cell ' +
      'as its content, `{member, value}` of an enum, `{variant, value}` of a union.',
  });

/** The schema of a whole answer by its type. */
const typedResultSchema = z.strictObject({
  type: z.string().describe('As the source writes it.'),
  value: typedValueSchema,
});

type JsonTypedResult = z.infer<typeof typedResultSchema>;

/** The answer by its type in the source; null if it does not match. */
export function typedJson({ stack }: Pick<GetMethodResult, 'stack'>, type: AbiType): JsonTypedResult | null {
  const typed =
    type.kind === 'unknown'
      ? undefined
      : readTyped(
          stack.map(({ value }) => value),
          type,
        );
  return typed === undefined ? null : { type: typeText(type), value: valueToJson(typed) };
}

function valueToJson(value: TypedValue): JsonTyped {
  switch (value.kind) {
    case 'plain':
      return value.type.kind === 'bits' && value.value.type === 'slice'
        ? bitsToJson(value.value.cell.bits)
        : entryToJson(readEntry(value.value)).decoded;
    case 'coins':
      return value.value.toString();
    case 'bool':
      return value.value;
    case 'address':
      return value.address;
    case 'text':
      return value.text;
    case 'member':
      return { member: value.name, value: value.value.toString() };
    case 'null':
      return null;
    case 'external':
      return `External<${value.bits}:${value.value}>`;
    case 'variant':
      return { variant: typeText(value.type), value: valueToJson(value.value) };
    case 'content':
      return valueToJson(value.value);
    case 'parts': {
      const parts = value.parts.map(({ name, value: part }): [string, JsonTyped] => [
        name,
        valueToJson(part),
      ]);
      return value.type.kind === 'struct' ? Object.fromEntries(parts) : parts.map(([, part]) => part);
    }
    case 'map':
      return value.entries.map((entry) => ({ key: valueToJson(entry.key), value: valueToJson(entry.value) }));
  }
}

/** Bits as the same field of a storage has them: whole bytes in lowercase hex, others as a number. */
function bitsToJson(bits: BitString): string {
  const digits = bits.toString().toLowerCase();
  return bits.length % 8 === 0
    ? digits
    : beginCell().storeBits(bits).endCell().beginParse().loadUintBig(bits.length).toString();
}

/** The schema of a get-method's result as `run` prints it; its keys are stable. */
export const resultSchema = z
  .strictObject({
    address: jsonFacts.account,
    method: z.string().describe('Name or number, as requested.'),
    network: z.string(),
    api: z.enum(['v2', 'v3']),
    exitCode: jsonFacts.exitCode,
    exitMeaning: z.string(),
    gasUsed: jsonFacts.gas.nullable(),
    stack: z.array(entrySchema),
    typed: typedResultSchema
      .nullable()
      .optional()
      .describe('The answer by its type, if that is known; null if the answer does not match it.'),
    printed: z.array(z.string()).optional().describe("The method's debug output, if the network reports it."),
  })
  .meta({ title: 'The answer of a get-method' });

/** A get-method's result for programs. */
type JsonResult = z.infer<typeof resultSchema>;

/** The result without the parts meant only for people. */
export function resultToJson(result: GetMethodResult, signature?: GetMethodSignature): JsonResult {
  const { address, method, network, api, exitCode, exitMeaning, gasUsed, stack } = result;
  return {
    address,
    method,
    network,
    api,
    exitCode,
    exitMeaning,
    gasUsed,
    stack: stack.map(entryToJson),
    ...(signature === undefined || !isSuccess(result) ? {} : { typed: typedJson(result, signature.result) }),
    ...(result.printed === undefined ? {} : { printed: [...result.printed] }),
  };
}
