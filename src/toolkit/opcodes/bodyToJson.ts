import type { DecodedBody } from './decodedBody';
import type { BodyValue } from './decodedBody';

/** A decoded body for `--json`: integers and nanocoins as decimal strings, addresses raw, bytes hex, cells base64. */
export interface BodyJson {
  name: string;
  opcode?: string;
  /** A declared prefix of another length than an opcode's. */
  prefix?: string;
  bounced?: true;
  /** The layout did not fit; contains the fields before the mismatch. */
  broken?: true;
  /** What is wrong with a body that can be read all the same. */
  remarks?: string[];
  /** Bits and references after the last field. */
  left?: { bits: number; refs: number };
  fields: Record<string, unknown>;
}

export function bodyToJson(body: DecodedBody): BodyJson {
  return {
    name: body.name,
    ...(body.opcode === undefined ? {} : { opcode: body.opcode }),
    ...(body.prefix === undefined ? {} : { prefix: body.prefix }),
    ...(body.bounced ? { bounced: true } : {}),
    ...(body.broken ? { broken: true } : {}),
    ...(body.remarks === undefined ? {} : { remarks: body.remarks }),
    ...(body.left.bits + body.left.refs > 0 ? { left: body.left } : {}),
    fields: Object.fromEntries(body.fields.map(({ name, value }) => [name, bodyValueToJson(value)])),
  };
}

/** One value of a decoded body as JSON. */
export function bodyValueToJson(value: BodyValue): unknown {
  switch (value.type) {
    case 'int':
    case 'coins':
      return value.value.toString();
    case 'none':
      return null;
    case 'address':
      return value.value ?? null;
    case 'body':
      return bodyToJson(value.value);
    case 'map':
      return value.entries.map((entry) => ({
        key: bodyValueToJson(entry.key),
        value: bodyValueToJson(entry.value),
      }));
    case 'bool':
    case 'text':
    case 'bytes':
    case 'cell':
      return value.value;
  }
}
