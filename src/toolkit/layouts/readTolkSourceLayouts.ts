import type { AbiType } from '../abi/abiType';
import { typeText, withParts } from '../abi/abiType';
import { readTolkTexts } from '../abi/readTolkSource';
import type { TolkText } from '../abi/readTolkSource';
import { SourceReadings } from '../abi/sourceReadings';
import type { TypeDeclaration } from '../abi/typeResolver';
import { limits, WorkBudget } from '../limits';
import { boundedLayout } from './boundedLayout';
import type { LayoutField, LayoutSet, LayoutType, StructLayout } from './cellLayout';

/** Maximum nesting of aliases and structs. */
const deepest = 24;

/**
 * How the structs of a Tolk source lie in cells, by the rules of the compiler's automatic packing. Types with
 * custom packing functions, and those that no cell can hold, are `unknown`.
 *
 * @param origin the file, as shown to the user
 * @param imported texts that declare types used here
 * @throws WorkbenchError `over-limit` (input)
 */
export function readTolkSourceLayouts(
  origin: string,
  contract: string | undefined,
  text: string,
  imported: readonly string[] = [],
): LayoutSet {
  const { all, find } = readTolkTexts(text, imported, new SourceReadings());
  const builder = new LayoutBuilder(find, new Set(all.flatMap(({ customTypes }) => [...customTypes])));
  const storage = all.flatMap((one) => readsFrom(one, ['fromCell', '(', 'contract', '.', 'getData']));
  const bodies = all.flatMap((one) => readsFrom(one, ['fromSlice', '(', 'in', '.', 'body']));
  for (const { declarations } of all) {
    for (const [name, { parameters, type }] of declarations) {
      if (type.kind === 'struct' && parameters.length === 0) {
        builder.add(name);
      }
    }
  }
  return { origin, contract, structs: builder.structs(new Set(storage), new Set(bodies)) };
}

/** The type names that the text follows with `call`, for example `.fromCell(contract.getData())`. */
function readsFrom({ tokens }: TolkText, call: readonly string[]): string[] {
  return tokens.flatMap(({ text: name }, place) =>
    tokens[place + 1]?.text === '.' && call.every((word, index) => tokens[place + 2 + index]?.text === word)
      ? [name]
      : [],
  );
}

type StructType = Extract<AbiType, { kind: 'struct' }>;
type Bound = ReadonlyMap<string, AbiType>;
const nothingBound: Bound = new Map();

/** Converts declarations to layouts; a generic struct has one per instantiation, named with its arguments. */
class LayoutBuilder {
  readonly #structs = new Map<string, StructLayout>();
  readonly #steps = new WorkBudget('typeSteps');

  constructor(
    private readonly find: (name: string) => TypeDeclaration | undefined,
    private readonly customTypes: ReadonlySet<string>,
  ) {}

  add(name: string): void {
    this.#at({ kind: 'named', name, arguments: [] }, nothingBound, 0);
  }

  /**
   * @param storage names of the types of the contract's data
   * @param bodies names of the types it reads from messages: structs, or unions of them
   */
  structs(storage: ReadonlySet<string>, bodies: ReadonlySet<string>): ReadonlyMap<string, StructLayout> {
    const received = new Set([...bodies].flatMap((name) => this.#variantsOf(name)));
    return new Map(
      [...this.#structs].map(([key, layout]) => [
        key,
        {
          ...layout,
          isStorage: storage.has(layout.name),
          // A source that parses its messages in some other way still declares their opcodes.
          isMessage: received.size > 0 ? received.has(key) : layout.prefix?.bits === 32,
        },
      ]),
    );
  }

  /** The structs that a body of this type can be. */
  #variantsOf(name: string): string[] {
    const type = this.#at({ kind: 'named', name, arguments: [] }, nothingBound, 0);
    const variants = type.kind === 'union' ? type.variants.map((variant) => variant.type) : [type];
    return variants.flatMap((variant) => (variant.kind === 'struct' ? [variant.key] : []));
  }

  #at(type: AbiType, bound: Bound, depth: number): LayoutType {
    this.#steps.spend();
    if (depth > deepest) {
      return unknown('a type that contains itself');
    }
    return boundedLayout(plainLayout(type) ?? this.#compound(type, bound, depth + 1));
  }

  #compound(type: AbiType, bound: Bound, depth: number): LayoutType {
    const inner = (part: AbiType): LayoutType => this.#at(part, bound, depth);
    switch (type.kind) {
      case 'nullable': {
        const content = inner(type.inner);
        // A missing address is encoded as addr_none.
        return content.kind === 'address' ? { kind: 'address' } : { kind: 'maybe', inner: content };
      }
      case 'cellOf':
        return { kind: 'cell', inner: inner(type.inner) };
      case 'map':
        return { kind: 'map', key: inner(type.key), value: inner(type.value) };
      case 'tensor':
      case 'typedTuple':
        return {
          kind: 'sequence',
          items: type.items.map((item, place) => ({ name: place.toString(), type: inner(item) })),
        };
      case 'union':
        return this.#union(type.variants, bound, depth);
      case 'enum': {
        const members = new Map(type.members.map(({ name, value }) => [value, name]));
        // An enum without a declared type (`enum Color { … }`) takes the bits that its members need.
        const isOpen = type.inner.kind === 'int' && type.inner.bits === undefined;
        return {
          kind: 'enum',
          name: type.name,
          inner: isOpen ? fittingInteger([...members.keys()]) : inner(type.inner),
          members,
        };
      }
      case 'named':
        return this.#named(type, bound, depth);
      case 'struct':
        return this.#struct(type, type.name, bound, depth);
      default:
        return unknown(typeText(type));
    }
  }

  #named(
    { name, arguments: given }: Extract<AbiType, { kind: 'named' }>,
    bound: Bound,
    depth: number,
  ): LayoutType {
    const parameter = bound.get(name);
    if (parameter !== undefined) {
      return this.#at(parameter, nothingBound, depth);
    }
    const declaration = this.find(name);
    if (declaration === undefined) {
      return unknown(`${name}, which no file declares`);
    }
    if (this.customTypes.has(name)) {
      return unknown(`${name} is packed by the source's own code`);
    }
    const values = given.map((one) => substituted(one, bound));
    const own = new Map(
      declaration.parameters.flatMap((parameter, place): [string, AbiType][] => {
        const value = values[place];
        return value === undefined ? [] : [[parameter, value]];
      }),
    );
    return declaration.type.kind === 'struct'
      ? this.#struct(declaration.type, typeText({ kind: 'named', name, arguments: values }), own, depth)
      : this.#at(declaration.type, own, depth);
  }

  #struct({ name, fields, prefix }: StructType, key: string, bound: Bound, depth: number): LayoutType {
    if (!this.#structs.has(key)) {
      const layout = { name, prefix, isStorage: false, isMessage: false };
      // A struct can contain itself in a cell, so it is referenced by key.
      this.#structs.set(key, { ...layout, cells: [] });
      const laid = fields.slice(0, limits.structFields.most).map((field): LayoutField => ({
        name: field.name,
        type: this.#at(field.type, bound, depth),
        ...(field.comment === undefined ? {} : { comment: field.comment }),
        ...(field.defaultText === undefined ? {} : { defaultText: field.defaultText }),
      }));
      this.#structs.set(key, { ...layout, cells: [laid] });
    }
    return { kind: 'struct', key };
  }

  /**
   * If all structs have prefixes, these distinguish them; otherwise the compiler numbers the variants, null
   * first.
   */
  #union(variants: readonly AbiType[], bound: Bound, depth: number): LayoutType {
    const rest = variants.filter(({ kind }) => kind !== 'null');
    const hasNull = rest.length < variants.length;
    const types = rest.flatMap((variant) => this.#flat(this.#at(variant, bound, depth)));
    const prefixes = types.map((type) =>
      type.kind === 'struct' ? this.#structs.get(type.key)?.prefix : undefined,
    );
    if (!hasNull && prefixes.every((prefix) => prefix !== undefined)) {
      return {
        kind: 'union',
        variants: types.map((type, place) => ({ prefix: prefixes[place]!, own: false, type })),
      };
    }
    const bits = Math.max(1, Math.ceil(Math.log2(types.length)));
    const numbered = types.map((type, place) => ({
      prefix: { value: BigInt(place) + (hasNull ? 1n << BigInt(bits) : 0n), bits: hasNull ? bits + 1 : bits },
      own: true,
      type,
    }));
    const none = { prefix: { value: 0n, bits: 1 }, own: true, type: { kind: 'none' } as const };
    return { kind: 'union', variants: hasNull ? [none, ...numbered] : numbered };
  }

  /** Flattens unions within a union. */
  #flat(type: LayoutType): LayoutType[] {
    return type.kind === 'union' ? type.variants.map((variant) => variant.type) : [type];
  }
}

function unknown(what: string): LayoutType {
  return { kind: 'unknown', what };
}

/** Substitutes the arguments of the enclosing generic type. */
function substituted(type: AbiType, bound: Bound): AbiType {
  const value = type.kind === 'named' ? bound.get(type.name) : undefined;
  return value ?? withParts(type, (part) => substituted(part, bound));
}

/** Types with a fixed layout. */
function plainLayout(type: AbiType): LayoutType | undefined {
  switch (type.kind) {
    case 'int': {
      const { bits, signed = true, isVariable } = type;
      if (bits === undefined) {
        // Only integers of a known width can be packed.
        return unknown('int');
      }
      return isVariable === true
        ? { kind: signed ? 'varint' : 'varuint', lengthBits: bits === 120 ? 4 : 5 }
        : { kind: signed ? 'int' : 'uint', bits };
    }
    case 'bits':
      return { kind: 'bits', bits: type.bits };
    case 'address':
      return { kind: 'address', isRequired: true };
    case 'coins':
    case 'bool':
    case 'cell':
      return { kind: type.kind };
    case 'dictionary':
      return { kind: 'map' };
    case 'slice':
      return { kind: 'rest' };
    case 'string':
      return { kind: 'text' };
    case 'null':
    case 'void':
      return { kind: 'none' };
    default:
      return undefined;
  }
}

/** The narrowest integer type that holds all values. */
function fittingInteger(values: readonly bigint[]): LayoutType {
  const isSigned = values.some((value) => value < 0n);
  const widths = values.map((value) => (value < 0n ? -value - 1n : value).toString(2).length);
  const needed = values.every((value) => value === 0n) ? 1 : Math.max(...widths);
  return isSigned ? { kind: 'int', bits: needed + 1 } : { kind: 'uint', bits: needed };
}
