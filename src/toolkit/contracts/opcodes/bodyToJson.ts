import * as z from 'zod';
import type { BodyValue, DecodedBody } from './decodedBody';

type BodyJsonValue = string | boolean | null | BodyJson | { key: BodyJsonValue; value: BodyJsonValue }[];

/** A decoded body for `--json`. */
export interface BodyJson {
  name: string;
  opcode?: string | undefined;
  prefix?: string | undefined;
  bounced?: true | undefined;
  broken?: true | undefined;
  remarks?: string[] | undefined;
  left?: { bits: number; refs: number } | undefined;
  fields: Record<string, BodyJsonValue>;
}

/** The schema of one value of a decoded body. */
export const bodyValueSchema: z.ZodType<BodyJsonValue> = z
  .lazy(() =>
    z.union([
      z.string(),
      z.boolean(),
      z.null(),
      bodySchema,
      z.array(z.strictObject({ key: bodyValueSchema, value: bodyValueSchema })),
    ]),
  )
  .meta({
    id: 'BodyValue',
    description:
      'Integers and nanocoins are decimal text, addresses raw, bytes hex, cells base64; a list is a map.',
  });

/** The schema of a decoded body. */
export const bodySchema: z.ZodType<BodyJson> = z
  .strictObject({
    name: z.string(),
    opcode: z.string().optional(),
    prefix: z.string().optional().describe("A declared prefix of another length than an opcode's."),
    bounced: z.literal(true).optional(),
    broken: z
      .literal(true)
      .optional()
      .describe('The layout did not fit; contains the fields before the mismatch.'),
    remarks: z
      .array(z.string())
      .optional()
      .describe('What is wrong with a body that can be read all the same.'),
    left: z
      .strictObject({ bits: z.int(), refs: z.int() })
      .optional()
      .describe('Bits and references after the last field.'),
    fields: z.record(z.string(), bodyValueSchema),
  })
  .meta({ id: 'Body' });

/** A decoded body as JSON. */
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
export function bodyValueToJson(value: BodyValue): BodyJsonValue {
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
