import { limits } from '../limits';
import { sizeByParts } from './sizeByParts';

/**
 * The type of a parameter or result, as far as it matters on the stack. One model for Tolk, FunC and Tact.
 * `tensor`, `struct` and `union` take several stack entries; every other type takes one (`void` none).
 */
export type AbiType =
  | SimpleType
  /** Without `bits`: any integer of the TVM. `isVariable`: a cell holds only the bytes that the number needs (varint16, varuint32). */
  | { kind: 'int'; bits?: number; signed?: boolean; isVariable?: true }
  /** A slice of exactly so many bits (Tolk bitsN, bytesN). */
  | { kind: 'bits'; bits: number }
  /** Spans several entries only if the compiler's ABI says how many: `slots`, the last one 0 for null. */
  | { kind: 'nullable'; inner: AbiType; slots?: number }
  | { kind: 'list'; inner: AbiType }
  | { kind: 'cellOf'; inner: AbiType }
  /** `tensor`: several entries; `typedTuple`: one TVM tuple. */
  | { kind: 'tensor'; items: AbiType[] }
  | { kind: 'typedTuple'; items: AbiType[] }
  | { kind: 'map'; key: AbiType; value: AbiType }
  /** Without a name: several named results. `asTuple`: Tact passes a struct argument as one TVM tuple; else its fields follow one another. */
  | { kind: 'struct'; name: string; fields: AbiField[]; asTuple?: boolean; prefix?: TypePrefix }
  | { kind: 'enum'; name: string; inner: AbiType; members: { name: string; value: bigint }[] }
  /** `slots` and `typeIds` from the compiler's ABI: the last entry is the type id of the variant, which fills from the right. */
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
  /** The doc comment in the source. */
  comment?: string;
  /** The source's default value, as stack text if possible. */
  defaultText?: string;
}

export type SimpleKind =
  | 'coins'
  | 'bool'
  | 'address'
  | 'cell'
  | 'slice'
  | 'builder'
  | 'string'
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
 * The number of stack entries of a value of this type; undefined if only the compiler knows (unions,
 * undeclared names, nullable types of several entries).
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
      return type.slots ?? (slotsOf(type.inner) === 1 ? 1 : undefined);
    case 'union':
      return type.slots;
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
    case 'cellOf':
      return `Cell<${typeText(type.inner)}>`;
    case 'tensor':
      return `(${type.items.map(typeText).join(', ')})`;
    case 'typedTuple':
      return `[${type.items.map(typeText).join(', ')}]`;
    case 'map':
      return `map<${typeText(type.key)}, ${typeText(type.value)}>`;
    case 'struct':
      return type.name === '' ? `(${type.fields.map(fieldText).join(', ')})` : type.name;
    case 'enum':
      return type.name;
    case 'union':
      return type.variants.map(typeText).join(' | ');
    case 'named':
      return type.arguments.length === 0
        ? type.name
        : `${type.name}<${type.arguments.map(typeText).join(', ')}>`;
    default:
      return type.kind === 'dictionary' ? 'dict' : type.kind;
  }
}

function integerText({ bits, signed, isVariable }: Extract<AbiType, { kind: 'int' }>): string {
  const word = signed === false ? 'uint' : 'int';
  return bits === undefined ? 'int' : isVariable ? `var${word}${bits / 8 + 1}` : `${word}${bits}`;
}

function fieldText({ name, type }: AbiField): string {
  return `${name}: ${typeText(type)}`;
}
