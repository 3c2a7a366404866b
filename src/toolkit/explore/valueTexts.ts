import type { Arbitrary } from 'fast-check';
import * as fc from 'fast-check';
import type { AbiType } from '../contracts/abi/abiType';
import type { LayoutField, LayoutSet, LayoutType, StructLayout } from '../contracts/layouts/layoutSet';
import { stackTypeOf } from '../contracts/layouts/layoutSet';
import { typeLayout } from '../contracts/layouts/typedValue';

/** What values are made of. */
export interface ValueSources {
  /** Names that stand for addresses, the plainest first. */
  addresses: readonly string[];
  /** Numbers that are more likely than others, such as the constants of the source. */
  numbers: readonly bigint[];
}

/** Random texts of values, smaller ones first when they are shrunk; undefined for a type that has no text. */
type Texts = Arbitrary<string> | undefined;

/** Maximum nesting; deeper values are left out where that can be. */
const deepest = 6;
/** Of maps, lists, and arrays. */
const mostEntries = 3;
const coinsBits = 120;
const oneTon = 1_000_000_000n;

/** Texts of a struct's fields: `{amount: 5, to: alice}`. Undefined if a field has a type that cannot be written. */
export function structTexts(layout: StructLayout, set: LayoutSet, given: ValueSources): Texts {
  return new StoredTexts(set, given).struct(layout, 0);
}

/** Texts of arguments, as a call has them between its brackets. Undefined if one has a type that cannot be written. */
export function argumentTexts(types: readonly AbiType[], given: ValueSources): Texts {
  return joined(
    types.map((type) => stackTexts(type, given, 0)),
    (texts) => texts.join(', '),
  );
}

/** Values in cells. */
class StoredTexts {
  constructor(
    private readonly set: LayoutSet,
    private readonly given: ValueSources,
  ) {}

  struct({ cells }: StructLayout, depth: number): Texts {
    return this.#fields(cells.flat(), depth, (names, texts) => fieldsText(names, texts));
  }

  #fields(
    fields: readonly LayoutField[],
    depth: number,
    written: (names: readonly string[], texts: readonly string[]) => string,
  ): Texts {
    const names = fields.map(({ name }) => name);
    return joined(
      fields.map(({ type }) => this.of(type, depth + 1)),
      (texts) => written(names, texts),
    );
  }

  of(type: LayoutType, depth: number): Texts {
    const { given } = this;
    const isDeep = depth > deepest;
    switch (type.kind) {
      case 'int':
      case 'uint':
      case 'varint':
      case 'varuint':
      case 'coins':
      case 'bool':
      case 'address':
      case 'bits':
      case 'rest':
      case 'text':
      case 'none':
        return leafTexts(type, given);
      case 'enum':
        return fc.constantFrom(...type.members.values());
      case 'cell':
        return type.inner === undefined ? cellTexts() : this.of(type.inner, depth + 1);
      case 'maybe':
        return orNull(isDeep ? undefined : this.of(type.inner, depth + 1));
      case 'either':
        return this.of(type.inner, depth + 1);
      case 'map':
        return isDeep || type.key === undefined || type.value === undefined
          ? fc.constant('{}')
          : (mapTexts(this.of(type.key, depth + 1), this.of(type.value, depth + 1)) ?? fc.constant('{}'));
      case 'sequence':
        return this.#fields(type.items, depth, (_names, texts) => `(${texts.join(', ')})`);
      case 'struct': {
        const layout = this.set.structs.get(type.key);
        return isDeep || layout === undefined ? undefined : this.struct(layout, depth);
      }
      case 'union':
        return anyOf(type.variants.map((variant) => this.#variant(variant.type, depth)));
      case 'unknown':
        return undefined;
    }
  }

  /** A struct has its name before it. */
  #variant(type: LayoutType, depth: number): Texts {
    const name = type.kind === 'struct' ? this.set.structs.get(type.key)?.name : undefined;
    const texts = this.of(type, depth + 1);
    return name === undefined ? texts : texts?.map((text) => `${name} ${text}`);
  }
}

type LeafLayout = Extract<
  LayoutType,
  {
    kind:
      | 'int'
      | 'uint'
      | 'varint'
      | 'varuint'
      | 'coins'
      | 'bool'
      | 'address'
      | 'bits'
      | 'rest'
      | 'text'
      | 'none';
  }
>;

function leafTexts(type: LeafLayout, given: ValueSources): Arbitrary<string> {
  switch (type.kind) {
    case 'bool':
      return boolTexts();
    case 'address':
      return fc.constantFrom(...given.addresses, ...(type.isRequired === true ? [] : ['none']));
    case 'bits':
      return bitsTexts(type.bits).map((bits) => `slice ${bits}`);
    case 'rest':
      return orNull(bitsTexts(32).map((bits) => `slice ${bits}`));
    case 'text':
      return textTexts();
    case 'none':
      return fc.constant('null');
    default:
      return stackNumberTexts(stackTypeOf(type), given);
  }
}

/** Values on the stack. */
function stackTexts(type: AbiType, given: ValueSources, depth: number): Texts {
  const inner = (part: AbiType): Texts => (depth > deepest ? undefined : stackTexts(part, given, depth + 1));
  switch (type.kind) {
    case 'int':
    case 'coins':
      return stackNumberTexts(type, given);
    case 'bool':
      return boolTexts();
    case 'address':
      return fc.constantFrom(...given.addresses, ...(type.isAny === true ? ['none'] : []));
    case 'cell':
    case 'builder':
      return cellTexts().map((text) => `${type.kind} ${text}`);
    case 'slice':
      // FunC has no type for addresses.
      return fc.oneof(
        { withCrossShrink: true },
        fc.constantFrom(...given.addresses.map((name) => `addr ${name}`)),
        bitsTexts(32).map((bits) => `slice ${bits}`),
      );
    case 'string':
      return textTexts();
    case 'null':
      return fc.constant('null');
    case 'nullable':
      return orNull(inner(type.inner));
    case 'tensor':
      return joined(type.items.map(inner), (texts) => `(${texts.join(', ')})`);
    case 'typedTuple':
      return joined(type.items.map(inner), (texts) => `[${texts.join(', ')}]`);
    case 'list':
      return listTexts(inner(type.inner))?.map((texts) => `(${texts.join(', ')})`);
    case 'array':
      return listTexts(inner(type.inner))?.map((texts) => `[${texts.join(', ')}]`);
    case 'struct': {
      const names = type.fields.map(({ name }) => name);
      return joined(
        type.fields.map((field) => inner(field.type)),
        (texts) => fieldsText(names, texts),
      );
    }
    case 'union':
      return anyOf(
        type.variants.map((variant) => {
          const texts = inner(variant);
          return variant.kind === 'struct' ? texts?.map((text) => `${variant.name} ${text}`) : texts;
        }),
      );
    case 'enum':
      return fc.constantFrom(...type.members.map(({ name }) => name));
    case 'bits':
    case 'map':
    case 'cellOf': {
      const { type: layout, set } = typeLayout(type);
      const stored = layout.kind === 'cell' && type.kind === 'cellOf' ? layout.inner : layout;
      return stored === undefined ? cellTexts() : new StoredTexts(set, given).of(stored, depth);
    }
    default:
      return undefined;
  }
}

function stackNumberTexts(
  type: Extract<AbiType, { kind: 'int' | 'coins' }>,
  { numbers }: ValueSources,
): Arbitrary<string> {
  if (type.kind === 'coins') {
    return fc
      .oneof(
        { withCrossShrink: true },
        { arbitrary: fc.bigInt({ min: 0n, max: 10n }), weight: 1 },
        { arbitrary: fc.bigInt({ min: 0n, max: 100n }).map((tons) => tons * oneTon), weight: 3 },
        ...constants(0n, 2n ** 120n - 1n, numbers),
        { arbitrary: fc.bigInt({ min: 0n, max: 2n ** BigInt(coinsBits) - 1n }), weight: 2 },
      )
      .map((value) => (value > 0n && value % oneTon === 0n ? `${value / oneTon}ton` : String(value)));
  }
  const { bits = 257, signed = true } = type;
  const [min, max] = signed
    ? [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n]
    : [0n, 2n ** BigInt(bits) - 1n];
  const low = min < -100n ? -100n : min;
  const high = max > 100n ? 100n : max;
  return fc
    .oneof(
      { withCrossShrink: true },
      { arbitrary: fc.bigInt({ min: low, max: high }), weight: 3 },
      ...constants(min, max, numbers),
      { arbitrary: fc.constantFrom(min, min + 1n, max - 1n, max), weight: 1 },
      { arbitrary: fc.bigInt({ min, max }), weight: 3 },
    )
    .map(String);
}

/** The numbers, and those beside them, as far as they are in the range. */
function constants(
  min: bigint,
  max: bigint,
  numbers: readonly bigint[],
): { arbitrary: Arbitrary<bigint>; weight: number }[] {
  const near = numbers.flatMap((number) => [number, number - 1n, number + 1n]);
  const [first, ...others] = [...new Set(near)].filter((number) => number >= min && number <= max);
  return first === undefined ? [] : [{ arbitrary: fc.constantFrom(first, ...others), weight: 2 }];
}

function boolTexts(): Arbitrary<string> {
  return fc.boolean().map(String);
}

function textTexts(): Arbitrary<string> {
  return fc.string({ maxLength: 20 }).map((text) => `"${text.replace(/["\\]/g, '')}"`);
}

/** `x{…}` of so many bits; `_` ends one whose last digit is not whole. */
function bitsTexts(bits: number): Arbitrary<string> {
  const rest = (4 - (bits % 4)) % 4;
  const written = (value: bigint): string => {
    const whole = rest === 0 ? value : ((value << 1n) | 1n) << BigInt(rest - 1);
    const digits = whole.toString(16).padStart((bits + rest) / 4, '0');
    return `x{${bits === 0 ? '' : digits}${rest === 0 ? '' : '_'}}`;
  };
  return fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }).map(written);
}

function cellTexts(): Arbitrary<string> {
  return fc.oneof(
    { withCrossShrink: true },
    fc.constant('b()'),
    fc.nat({ max: 1_000_000 }).map((number) => `b(u32 ${number})`),
  );
}

function orNull(texts: Texts): Arbitrary<string> {
  const none = fc.constant('null');
  return texts === undefined ? none : fc.oneof({ withCrossShrink: true }, none, texts);
}

function anyOf(texts: readonly Texts[]): Texts {
  const [first, ...others] = texts.filter((one) => one !== undefined);
  return first && fc.oneof({ withCrossShrink: true }, first, ...others);
}

function mapTexts(keys: Texts, values: Texts): Texts {
  return keys === undefined || values === undefined
    ? undefined
    : fc
        .uniqueArray(fc.tuple(keys, values), { maxLength: mostEntries, selector: ([key]) => key })
        .map((entries) => `{${entries.map(([key, value]) => `${key}: ${value}`).join(', ')}}`);
}

function listTexts(items: Texts): Arbitrary<string[]> | undefined {
  return items && fc.array(items, { maxLength: mostEntries });
}

function joined(texts: readonly Texts[], written: (texts: readonly string[]) => string): Texts {
  const known = texts.filter((one) => one !== undefined);
  return known.length < texts.length ? undefined : fc.tuple(...known).map(written);
}

function fieldsText(names: readonly string[], texts: readonly string[]): string {
  return `{${names.map((name, index) => `${name}: ${texts[index] ?? ''}`).join(', ')}}`;
}
