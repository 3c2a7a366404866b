import * as z from 'zod';
import { typeText } from '../abi/abiType';
import type { AbiType } from '../abi/abiType';
import { readTyped } from '../typed/readTyped';
import type { TypedValue } from '../typed/typedValue';
import { jsonFacts } from '../jsonFacts';
import { entryToJson } from './entryToJson';
import type { JsonDecoded } from './entryToJson';
import type { GetMethodResult } from './getMethodResult';
import { readEntry } from './readEntry';

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
      'A value by its type: numbers and coins as decimal text, a struct as an object, a map as its entries, a typed cell ' +
      'as its content, `{member, value}` of an enum, `{variant, value}` of a union.',
  });

/** The schema of a whole answer by its type. */
export const typedResultSchema = z.strictObject({
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
      return entryToJson(readEntry(value.value)).decoded;
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
