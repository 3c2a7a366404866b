import type { AbiType } from '../abi/abiType';
import { typeText } from '../abi/abiType';
import { readTolkTexts } from '../abi/readTolkSource';
import { SourceReadings } from '../abi/sourceLanguage';
import { TypeResolver } from '../abi/typeResolver';
import { WorkBudget, limits } from '../../base/limits';
import type { LayoutField, LayoutSet, LayoutType, StructLayout } from './layoutSet';
import { boundedLayout } from './layoutSet';
import { readLoadedSource } from './loadedSource';

/** Maximum nesting of types. */
const deepest = 24;

type Kind<K extends AbiType['kind']> = Extract<AbiType, { kind: K }>;

/**
 * How values of resolved Tolk types lie in cells, by the rules of the compiler's automatic packing. Types with custom
 * packing functions, and those that no cell can hold, are `unknown`.
 */
export class TolkLayouts {
  readonly #structs = new Map<string, StructLayout>();
  readonly #steps = new WorkBudget('typeSteps');

  /** @param custom how the types lie in cells that the source packs by its own functions, as far as that is known */
  constructor(private readonly custom: ReadonlyMap<string, LayoutType> = new Map()) {}

  /** Every struct so far, by its name with its arguments. */
  get structs(): ReadonlyMap<string, StructLayout> {
    return this.#structs;
  }

  /** @throws WorkbenchError `over-limit` (input) */
  layoutOf(type: AbiType): LayoutType {
    return this.#at(type, 0);
  }

  #at(type: AbiType, depth: number): LayoutType {
    this.#steps.spend();
    if (depth > deepest) {
      return unknown('a type that contains itself');
    }
    if (type.customName !== undefined) {
      return (
        this.custom.get(type.customName) ?? unknown(`${type.customName} is packed by the source's own code`)
      );
    }
    return boundedLayout(plainLayout(type) ?? this.#compound(type, depth + 1));
  }

  #compound(type: AbiType, depth: number): LayoutType {
    const inner = (part: AbiType): LayoutType => this.#at(part, depth);
    switch (type.kind) {
      case 'nullable':
        return this.#nullable(type, depth);
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
        return this.#union(type, depth);
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
      case 'struct':
        return this.#struct(type, depth);
      case 'named':
        // A struct that contains itself in a cell.
        return this.#structs.has(typeText(type))
          ? { kind: 'struct', key: typeText(type) }
          : unknown(`${typeText(type)}, which no file declares`);
      default:
        return unknown(typeText(type));
    }
  }

  /** A missing address is encoded as addr_none. */
  #nullable({ inner }: Kind<'nullable'>, depth: number): LayoutType {
    const isAddress = inner.kind === 'address' && inner.isAny !== true && inner.customName === undefined;
    return isAddress ? { kind: 'address' } : { kind: 'maybe', inner: this.#at(inner, depth) };
  }

  #struct(type: Kind<'struct'>, depth: number): LayoutType {
    const key = typeText(type);
    if (!this.#structs.has(key)) {
      const { name, fields, prefix } = type;
      const layout = { name, prefix, isStorage: false, isMessage: false };
      // A struct can contain itself in a cell, so it is referenced by key.
      this.#structs.set(key, { ...layout, cells: [] });
      const laid = fields.slice(0, limits.structFields.most).map((field): LayoutField => ({
        name: field.name,
        type: this.#at(field.type, depth),
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
  #union({ variants }: Kind<'union'>, depth: number): LayoutType {
    const rest = variants.filter(({ kind }) => kind !== 'null');
    const hasNull = rest.length < variants.length;
    const types = rest.map((variant) => this.#at(variant, depth));
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
}

function unknown(what: string): LayoutType {
  return { kind: 'unknown', what };
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
      return type.isAny === true ? { kind: 'address' } : { kind: 'address', isRequired: true };
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
  const { all, find, uses } = readTolkTexts(text, imported, new SourceReadings());
  const types = new TypeResolver(find);
  const layouts = new TolkLayouts(customLayouts([text, ...imported]));
  const layoutOf = (name: string): LayoutType =>
    layouts.layoutOf(types.resolve({ kind: 'named', name, arguments: [] }));
  for (const { declarations } of all) {
    for (const [name, { parameters, type }] of declarations) {
      if (type.kind === 'struct' && parameters.length === 0) {
        layoutOf(name);
      }
    }
  }
  const used = uses();
  const structsOf = (names: readonly string[]): Set<string> =>
    new Set(names.flatMap((name) => structsIn(layoutOf(name))));
  const storage = structsOf(used.storage);
  const deployed = structsOf(used.deployed);
  const received = structsOf(used.received);
  const structs = [...layouts.structs].map(
    ([key, layout]) =>
      [
        key,
        {
          ...layout,
          isStorage: storage.has(key),
          ...(deployed.has(key) && used.storage.length > 1 ? { isDeployed: true as const } : {}),
          // A source that parses its messages in some other way still declares their opcodes.
          isMessage: received.size > 0 ? received.has(key) : layout.prefix?.bits === 32,
        },
      ] as const,
  );
  return { origin, contract, structs: new Map(structs) };
}

/** The types whose own function packs a value as it is: `fun Rest.packToBuilder(self, mutate b: builder) { b.storeSlice(self) }`. */
function customLayouts(texts: readonly string[]): Map<string, LayoutType> {
  const found = new Map<string, LayoutType>();
  const own = texts.filter((text) => text.includes('packToBuilder'));
  for (const { name, parameters, tokens, from, to } of readLoadedSource(own, 'tolk').functions) {
    const [, type] = /^(\w+)\.pack_to_builder$/.exec(name) ?? [];
    const body = tokens
      .slice(from, to)
      .map(({ text }) => text)
      .join('');
    if (type !== undefined && body.replace(/;$/, '') === `${parameters[1]}.store_slice(self)`) {
      found.set(type, { kind: 'rest' });
    }
  }
  return found;
}

/** The structs that a body of this type can be. */
function structsIn(type: LayoutType): string[] {
  const variants = type.kind === 'union' ? type.variants.map((variant) => variant.type) : [type];
  return variants.flatMap((variant) => (variant.kind === 'struct' ? [variant.key] : []));
}
