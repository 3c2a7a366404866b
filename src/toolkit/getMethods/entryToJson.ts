import { encodeCell } from '../stack/wireValue';
import type { StackValue } from '../stack/stackValue';
import type { Decoded, ResultEntry } from './getMethodResult';

/** An entry of the CLI's answer. Numbers are decimal strings, cells base64, addresses raw in lowercase. */
export interface JsonEntry {
  /** num, nan, null, cell, slice, builder, tuple, list, or unsupported. */
  type: string;
  /** Set if the service only says "a cell or a slice": then `type` and `decoded` are an interpretation. */
  readAs?: 'cell' | 'slice';
  value: string | null | JsonEntry[];
  /**
   * The value in its plainest form: decimal text, raw address, text, null, the decoded items of a tuple or list, or
   * `{bits, refs, hash}` of an unrecognized cell.
   */
  decoded: JsonDecoded;
}

export type JsonDecoded =
  | string
  | null
  | { bits: number; refs: number; hash: string }
  /** Token content (TEP-64). */
  | { layout: string; attributes: Record<string, string> }
  | JsonDecoded[];

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
