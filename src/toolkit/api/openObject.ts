import * as z from 'zod';

/** An object whose fields may all be missing or null, and which may have other fields. */
export type OpenObject<Shape extends z.core.$ZodShape> = z.ZodObject<
  { [Name in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Name]>> },
  z.core.$loose
>;

/**
 * Describes an object of API v3, whose description marks no field as required: each field of `shape` may be missing
 * or null, and other fields are kept as sent.
 */
export function openObject<Shape extends z.core.$ZodShape>(shape: Shape): OpenObject<Shape> {
  const fields = Object.entries(shape).map(([name, field]) => [name, z.nullish(field)]);
  return z.looseObject(Object.fromEntries(fields)) as unknown as OpenObject<Shape>;
}

/** The type of a schema, as JSON and with the named fields only. */
export type WireOf<Schema extends z.ZodType> = Exact<z.input<Schema>>;

/** An API object with its named fields only: for encoders, so that a misspelled name does not compile. */
export type Exact<Value> = Value extends readonly (infer Item)[]
  ? Exact<Item>[]
  : Value extends object
    ? ExactObject<Value>
    : Value;

/** Objects lose their index signature; maps, which have nothing else, keep it. */
type ExactObject<Value extends object> = [NameOf<Value>] extends [never]
  ? { [Name in keyof Value]: Exact<Value[Name]> }
  : { [Name in NameOf<Value>]: Exact<Value[Name]> };

type NameOf<Value> = keyof { [Name in keyof Value as string extends Name ? never : Name]: never };
