import * as z from 'zod';
import { jsonFacts } from '../jsonFacts';
import { encodeCell } from '../stack/wireValue';
import type { StackValue } from '../stack/stackValue';
import type { Decoded, ResultEntry } from './getMethodResult';

/** An entry of the CLI's answer. Numbers are decimal strings, cells base64, addresses raw in lowercase. */
export interface JsonEntry {
  type: string;
  readAs?: 'cell' | 'slice' | undefined;
  value: string | null | JsonEntry[];
  decoded: JsonDecoded;
}

export type JsonDecoded =
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
export const entrySchema: z.ZodType<JsonEntry> = z
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
export function entryToJson(entry: ResultEntry): JsonEntry {
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
