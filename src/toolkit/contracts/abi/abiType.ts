import { ownValue } from '../../base/collections';
import { limits } from '../../base/limits';
import type { TactFieldType } from './tactFieldType';

/**
 * The type of a parameter or result, as far as it matters on the stack. One model for Tolk, FunC and Tact.
 * {@link slotsOf} says how many entries a value takes.
 */
export type AbiType = Kinds & {
  /** The name of the declared type, if the source packs and unpacks its values with functions of its own. */
  customName?: string;
};

type Kinds =
  | SimpleType
  /** Without `bits`: any integer of the TVM. `isVariable`: a cell holds only the bytes that the number needs (varint16, varuint32). */
  /** `isTruth`: it may be true or false, too, as in FunC, which has no type for these. */
  | { kind: 'int'; bits?: number; signed?: boolean; isVariable?: true; isTruth?: true }
  /** A slice; `isCell`: a cell, as in Tolk. */
  | { kind: 'string'; isCell?: true }
  /** A slice of exactly so many bits (Tolk bitsN, bytesN). */
  | { kind: 'bits'; bits: number }
  /** `isAny`: may also be external or missing (Tolk's any_address). */
  | { kind: 'address'; isAny?: true }
  /**
   * On the stack see {@link slotsOf}, if `slots` does not say how many entries it takes. The last of several is 0 for
   * null, else `typeId`, the inner type's id in its program.
   */
  | { kind: 'nullable'; inner: AbiType; slots?: number; typeId?: number }
  /** `list`: nested pairs; `array`: one TVM tuple of any length. */
  | { kind: 'list' | 'array'; inner: AbiType }
  | { kind: 'cellOf'; inner: AbiType }
  /** `tensor`: several entries; `typedTuple`: one TVM tuple. */
  | { kind: 'tensor'; items: AbiType[] }
  | { kind: 'typedTuple'; items: AbiType[] }
  /** `stored`: how Tact lays out its entries, which its stack does not say. */
  | { kind: 'map'; key: AbiType; value: AbiType; stored?: TactFieldType }
  /** Without a name: several named results. `asTuple`: Tact passes a struct argument as one TVM tuple; else its fields follow one another. */
  | {
      kind: 'struct';
      name: string;
      fields: AbiField[];
      arguments?: AbiType[];
      asTuple?: boolean;
      prefix?: TypePrefix;
    }
  | { kind: 'enum'; name: string; inner: AbiType; members: { name: string; value: bigint }[] }
  /** The last entry is the variant's type id in its program (of null, 0); a narrower variant has nulls before it. */
  | { kind: 'union'; variants: AbiType[]; slots?: number; typeIds?: number[] }
  /** Declared elsewhere, in a text that was not given. */
  | { kind: 'named'; name: string; arguments: AbiType[] };

/** One member per kind, so that a `switch` narrows the type. */
type SimpleType = { [Kind in SimpleKind]: { kind: Kind } }[SimpleKind];

/** The prefix of a struct in a cell. */
export interface TypePrefix {
  value: bigint;
  bits: number;
}

export interface AbiField {
  name: string;
  type: AbiType;
  /** How Tact stores it, which its type on the stack does not say. */
  stored?: TactFieldType;
  /** The doc comment in the source. */
  comment?: string;
  /** The source's default value, as stack text if possible. */
  defaultText?: string;
}

export type SimpleKind =
  | 'coins'
  | 'bool'
  | 'cell'
  | 'slice'
  | 'builder'
  | 'continuation'
  | 'dictionary'
  | 'tuple'
  | 'null'
  | 'void'
  | 'unknown';

export const unknownType: AbiType = { kind: 'unknown' };
export const voidType: AbiType = { kind: 'void' };

/** All types within a type, itself included, once per occurrence. */
const sizeOf = sizeByParts(partsOf);

function partsOf(type: AbiType): readonly AbiType[] {
  switch (type.kind) {
    case 'nullable':
    case 'list':
    case 'array':
    case 'cellOf':
    case 'enum':
      return [type.inner];
    case 'tensor':
    case 'typedTuple':
      return type.items;
    case 'map':
      return [type.key, type.value];
    case 'struct':
      return type.fields.map((field) => field.type);
    case 'union':
      return type.variants;
    case 'named':
      return type.arguments;
    default:
      return [];
  }
}

/** The type, with every type directly within it replaced. */
export function withParts(type: AbiType, replaced: (part: AbiType) => AbiType): AbiType {
  switch (type.kind) {
    case 'nullable':
    case 'list':
    case 'array':
    case 'cellOf':
    case 'enum':
      return { ...type, inner: replaced(type.inner) };
    case 'tensor':
    case 'typedTuple':
      return { ...type, items: type.items.map((item) => replaced(item)) };
    case 'map':
      return { ...type, key: replaced(type.key), value: replaced(type.value) };
    case 'struct':
      return { ...type, fields: type.fields.map((field) => ({ ...field, type: replaced(field.type) })) };
    case 'union':
      return { ...type, variants: type.variants.map((variant) => replaced(variant)) };
    case 'named':
      return { ...type, arguments: type.arguments.map((argument) => replaced(argument)) };
    default:
      return type;
  }
}

/** The type with the ids that a program has for types in unions and wide nullable types, by the types' texts. */
export function withTypeIds(type: AbiType, ids: Readonly<Record<string, number>>): AbiType {
  const own = withParts(type, (part) => withTypeIds(part, ids));
  if (own.kind === 'nullable') {
    const typeId = ownValue(ids, typeText(own.inner));
    return typeId === undefined ? own : { ...own, typeId };
  }
  if (own.kind !== 'union' || own.typeIds !== undefined) {
    return own;
  }
  const found = own.variants.map((one) => (one.kind === 'null' ? 0 : ownValue(ids, typeText(one))));
  const typeIds = found.filter((id) => id !== undefined);
  return typeIds.length === found.length ? { ...own, typeIds } : own;
}

/** Whether values of the type have numbers on the stack that only the compiler knows, and that are not known yet. */
export function lacksTypeIds(type: AbiType): boolean {
  let lacks =
    (type.kind === 'union' && type.typeIds === undefined) ||
    (type.kind === 'nullable' && type.typeId === undefined && isWideNullable(type));
  withParts(type, (part) => {
    lacks ||= lacksTypeIds(part);
    return part;
  });
  return lacks;
}

/** Whether a nullable type has a number beside its value that says whether it is null: one entry is null by itself. */
export function isWideNullable(type: Extract<AbiType, { kind: 'nullable' }>): boolean {
  return slotsOf(type) !== 1 || slotsOf(type.inner) === 0;
}

/** Placeholder for a type too large to read, show, or walk: it expands beyond the limit `typeParts`. */
export const largeType: AbiType = {
  kind: 'named',
  /** Made when it is read: the first number that is written so takes 15 ms of a start. */
  get name() {
    return `<a type of more than ${limits.typeParts.most.toLocaleString('en-US')} parts>`;
  },
  arguments: [],
};

/**
 * The type, or {@link largeType} if it expands too far. Must be called for every composite type, from the inside out:
 * sixty lines of `type A = (B, B)` are 2^60 types.
 */
export function boundedType(type: AbiType): AbiType {
  return sizeOf(type) > limits.typeParts.most ? largeType : type;
}

/**
 * The number of stack entries of a value of this type; undefined if it contains an undeclared name. Tolk gives a
 * nullable type one entry if null can stand for its value there, otherwise one more for the type id.
 */
export function slotsOf(type: AbiType): number | undefined {
  switch (type.kind) {
    case 'void':
      return 0;
    case 'tensor':
      return sumOfSlots(type.items);
    case 'struct':
      return type.asTuple === true ? 1 : sumOfSlots(type.fields.map((field) => field.type));
    case 'nullable':
      return type.slots ?? nullableSlots(type.inner);
    case 'union':
      return type.slots ?? unionSlots(type.variants);
    case 'named':
      return undefined;
    default:
      return 1;
  }
}

function sumOfSlots(types: readonly AbiType[]): number | undefined {
  let sum = 0;
  for (const type of types) {
    const slots = slotsOf(type);
    if (slots === undefined) {
      return undefined;
    }
    sum += slots;
  }
  return sum;
}

function nullableSlots(inner: AbiType): number | undefined {
  const slots = slotsOf(inner);
  return slots === undefined || (slots === 1 && isTold(inner)) ? slots : slots + 1;
}

function unionSlots(variants: readonly AbiType[]): number | undefined {
  let widest = 0;
  for (const variant of variants) {
    const slots = variant.kind === 'null' ? 0 : slotsOf(variant);
    if (slots === undefined) {
      return undefined;
    }
    widest = Math.max(widest, slots);
  }
  return widest + 1;
}

/** Whether a value that takes one entry is never null itself, so that null there means that there is none. */
function isTold(type: AbiType): boolean {
  switch (type.kind) {
    case 'nullable':
    case 'union':
    case 'map':
    case 'list':
      return false;
    case 'tensor':
      return type.items.every((item) => slotsOf(item) === 0 || isTold(item));
    case 'struct':
      return (
        type.asTuple === true || type.fields.every((field) => slotsOf(field.type) === 0 || isTold(field.type))
      );
    default:
      return true;
  }
}

/** The type in Tolk's notation, which covers all of them. */
export function typeText(type: AbiType): string {
  switch (type.kind) {
    case 'int':
      return integerText(type);
    case 'bits':
      return `bits${type.bits}`;
    case 'nullable':
      return `${typeText(type.inner)}?`;
    case 'list':
      return `lisp_list<${typeText(type.inner)}>`;
    case 'array':
      return `array<${typeText(type.inner)}>`;
    case 'cellOf':
      return `Cell<${typeText(type.inner)}>`;
    case 'tensor':
      return `(${type.items.map(typeText).join(', ')})`;
    case 'typedTuple':
      return `[${type.items.map(typeText).join(', ')}]`;
    case 'map':
      return `map<${typeText(type.key)}, ${typeText(type.value)}>`;
    case 'struct':
      return type.name === ''
        ? `(${type.fields.map(fieldText).join(', ')})`
        : withArguments(type.name, type.arguments);
    case 'enum':
      return type.name;
    case 'union':
      return type.variants.map(typeText).join(' | ');
    case 'named':
      return withArguments(type.name, type.arguments);
    case 'address':
      return type.isAny === true ? 'any_address' : 'address';
    default:
      return type.kind === 'dictionary' ? 'dict' : type.kind;
  }
}

function withArguments(name: string, given: readonly AbiType[] = []): string {
  return given.length === 0 ? name : `${name}<${given.map(typeText).join(', ')}>`;
}

function integerText({ bits, signed, isVariable }: Extract<AbiType, { kind: 'int' }>): string {
  const word = signed === false ? 'uint' : 'int';
  return bits === undefined ? 'int' : isVariable ? `var${word}${bits / 8 + 1}` : `${word}${bits}`;
}

function fieldText({ name, type }: AbiField): string {
  return `${name}: ${typeText(type)}`;
}

/**
 * Counts the nodes in a tree of types, itself included; repeated parts count each time. Results are cached.
 */
export function sizeByParts<Type extends object>(
  partsOf: (type: Type) => readonly Type[],
): (type: Type) => number {
  const sizes = new WeakMap<Type, number>();
  const sizeOf = (type: Type): number => {
    const known = sizes.get(type);
    if (known !== undefined) {
      return known;
    }
    const size = partsOf(type).reduce((sum, part) => sum + sizeOf(part), 1);
    sizes.set(type, size);
    return size;
  };
  return sizeOf;
}
