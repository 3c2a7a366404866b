import * as z from 'zod';
import { misfitSuffix } from './answerReader';
import { leafOf } from './wire';

/** A value inside the program and the description it was read by. */
interface Part {
  value: unknown;
  schema: unknown;
  put: (json: unknown) => void;
}

/**
 * The JSON of a value that was read by `schema`, as a service sends it: a copy, with base64 hashes, upper-case addresses and
 * numbers in strings, fields that the schema does not name as they came, and what did not fit back in its place. Free of
 * recursion: a trace may be thousands of transactions deep.
 */
export function writeAnswer<Value>(schema: z.ZodType<Value>, value: Value): unknown {
  let whole: unknown;
  const parts: Part[] = [{ value, schema, put: (json) => (whole = json) }];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    part.put(jsonOf(part, parts));
  }
  return whole;
}

function jsonOf({ value, schema }: Part, parts: Part[]): unknown {
  const inner = unwrap(schema);
  if (value === null || value === undefined) {
    return value;
  }
  const leaf = leafOf(inner);
  if (leaf !== undefined) {
    return leaf.write(value);
  }
  if (Array.isArray(value) && inner instanceof z.ZodArray) {
    const items: unknown[] = [];
    value.forEach((item: unknown, index) => {
      parts.push({ value: item, schema: inner.element, put: (json) => (items[index] = json) });
    });
    items.length = value.length;
    return items;
  }
  if (typeof value !== 'object' || Array.isArray(value)) {
    return value;
  }
  return inner instanceof z.ZodObject || inner instanceof z.ZodRecord
    ? objectOf(value as Record<string, unknown>, inner, parts)
    : value;
}

function objectOf(
  value: Record<string, unknown>,
  schema: z.ZodObject | z.ZodRecord,
  parts: Part[],
): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  const key = schema instanceof z.ZodRecord ? leafOf(schema.keyType) : undefined;
  for (const [name, inner] of Object.entries(value)) {
    const misfitOf = name.endsWith(misfitSuffix) ? name.slice(0, -misfitSuffix.length) : undefined;
    if (misfitOf !== undefined && value[misfitOf] === null) {
      json[misfitOf] = inner;
      continue;
    }
    const wireName = key === undefined ? name : String(key.write(name));
    if (inner === null && Object.hasOwn(value, `${name}${misfitSuffix}`)) {
      continue;
    }
    // Holds the place, so that fields keep their order.
    Object.defineProperty(json, wireName, {
      value: inner,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    const field: unknown = schema instanceof z.ZodRecord ? schema.valueType : schema.shape[name];
    if (field !== undefined) {
      parts.push({ value: inner, schema: field, put: (made) => (json[wireName] = made) });
    }
  }
  return json;
}

function unwrap(schema: unknown): unknown {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) {
    inner = inner.unwrap();
  }
  return inner;
}
