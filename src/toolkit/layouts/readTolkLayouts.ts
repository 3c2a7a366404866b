import * as z from 'zod';
import { WorkbenchError } from '../errors';
import { abiUnreadableError } from '../abi/abiErrors';
import { readAbiJson } from '../abi/readAbiJson';
import { limits } from '../limits';
import type { LayoutField, LayoutPrefix, LayoutSet, LayoutType, StructLayout } from './cellLayout';
import { ownValue } from '../ownValue';

const index = z.number().int().nonnegative();
const prefixRow = z.looseObject({
  prefix_num: z.number().optional(),
  prefix_str: z.string().optional(),
  prefix_len: z.number().int().min(0).max(256),
});
type PrefixRow = z.output<typeof prefixRow>;
const typeRow = z.looseObject({
  kind: z.string(),
  n: z.number().optional(),
  inner_ty_idx: index.optional(),
  items_ty_idx: z.array(index).optional(),
  struct_name: z.string().optional(),
  alias_name: z.string().optional(),
  enum_name: z.string().optional(),
  variants: z
    .array(prefixRow.extend({ variant_ty_idx: index, is_prefix_implicit: z.boolean().nullish() }))
    .optional(),
});
type TypeRow = z.output<typeof typeRow>;
const declaration = z.looseObject({
  kind: z.string(),
  name: z.string(),
  ty_idx: index.optional(),
  type_params: z.array(z.string()).nullish(),
  fields: z.array(z.looseObject({ name: z.string(), ty_idx: index })).optional(),
  prefix: prefixRow.nullish(),
  target_ty_idx: index.optional(),
  encoded_as_ty_idx: index.optional(),
  members: z.array(z.looseObject({ name: z.string(), value: z.string() })).optional(),
  custom_pack_unpack: z.unknown().optional(),
});
type Declaration = z.output<typeof declaration>;
const tolkAbi = z.looseObject({
  contract_name: z.string().optional(),
  unique_types: z.array(typeRow),
  struct_instantiations: z
    .array(z.looseObject({ ty_idx: index, monomorphic_fields_ty_idx: z.array(index) }))
    .optional(),
  alias_instantiations: z
    .array(z.looseObject({ ty_idx: index, monomorphic_target_ty_idx: index }))
    .optional(),
  declarations: z.array(declaration),
  storage: z.looseObject({ storage_ty_idx: index.optional() }).nullish(),
});
type TolkAbi = z.output<typeof tolkAbi>;

/**
 * The structs of the ABI JSON that newer Tolk compilers write, with their prefixes.
 * @throws WorkbenchError `abi-unreadable` (input)
 */
export function readTolkLayouts(origin: string, text: string): LayoutSet {
  let json: unknown;
  try {
    json = readAbiJson(text);
  } catch (cause) {
    throw cause instanceof WorkbenchError ? cause : abiUnreadableError('Tolk ABI', 'it is not JSON', cause);
  }
  const read = tolkAbi.safeParse(json);
  if (!read.success) {
    throw abiUnreadableError('Tolk ABI', read.error.issues[0]?.message ?? 'it is something else', read.error);
  }
  const types = new Types(read.data);
  return { origin, contract: read.data.contract_name, structs: types.structs() };
}

/** Types of a fixed form in a cell. */
const plain: Readonly<Record<string, LayoutType>> = {
  coins: { kind: 'coins' },
  bool: { kind: 'bool' },
  cell: { kind: 'cell' },
  string: { kind: 'text' },
  remaining: { kind: 'rest' },
  address: { kind: 'address' },
  addressOpt: { kind: 'address' },
  addressExt: { kind: 'address' },
  addressAny: { kind: 'address' },
  mapKV: { kind: 'map' },
  nullLiteral: { kind: 'none' },
  void: { kind: 'none' },
};

/** Aliases of aliases are followed so far. */
const deepest = 24;

class Types {
  readonly #known = new Map<number, LayoutType>();
  readonly #sizes = new WeakMap<LayoutType, number>();
  readonly #declarations: ReadonlyMap<string, Declaration>;
  readonly #instances: ReadonlyMap<number, readonly number[]>;
  readonly #targets: ReadonlyMap<number, number>;

  constructor(private readonly abi: TolkAbi) {
    this.#declarations = new Map(abi.declarations.map((one) => [one.name, one]));
    this.#instances = new Map(
      abi.struct_instantiations?.map((one) => [one.ty_idx, one.monomorphic_fields_ty_idx]),
    );
    this.#targets = new Map(
      abi.alias_instantiations?.map((one) => [one.ty_idx, one.monomorphic_target_ty_idx]),
    );
  }

  /** Every struct that is not generic, and every use of one that is. */
  structs(): Map<string, StructLayout> {
    const found = new Map<string, StructLayout>();
    const storage = this.abi.storage?.storage_ty_idx;
    for (const [position, row] of this.abi.unique_types.entries()) {
      const declared = this.#declared(row);
      if (row.kind !== 'StructRef' || declared === undefined || declared.kind !== 'struct') {
        continue;
      }
      const own = this.#instances.get(position);
      if ((declared.type_params?.length ?? 0) > 0 && own === undefined) {
        continue;
      }
      const fields = (declared.fields ?? []).map((field, place): LayoutField => ({
        name: field.name,
        type: this.#at(own?.[place] ?? field.ty_idx, 0),
      }));
      found.set(keyOf(position), {
        name: declared.name,
        prefix: declared.prefix == null ? undefined : prefixOf(declared.prefix),
        cells: [isCustom(declared) ? [{ name: 'content', type: custom(declared.name) }] : fields],
        isStorage: position === storage,
      });
    }
    return found;
  }

  #at(position: number | undefined, depth: number): LayoutType {
    const row = position === undefined ? undefined : this.abi.unique_types[position];
    if (row === undefined || position === undefined || depth > deepest) {
      return { kind: 'unknown', what: 'a type that the ABI does not hold' };
    }
    const known = this.#known.get(position);
    if (known !== undefined) {
      return known;
    }
    this.#known.set(position, { kind: 'unknown', what: 'a type that holds itself' });
    const simple = ownValue(plain, row.kind);
    const read = simple ?? this.#sized(row) ?? this.#compound(row, position, depth + 1);
    const type: LayoutType =
      this.#sizeOf(read) > limits.typeParts.most
        ? { kind: 'unknown', what: 'a type that is too large' }
        : read;
    this.#known.set(position, type);
    return type;
  }

  /** The types in a type, each as often as it stands there: sixty pairs of pairs are 2^60. */
  #sizeOf(type: LayoutType): number {
    const parts =
      type.kind === 'sequence'
        ? type.items.map((item) => item.type)
        : type.kind === 'union'
          ? type.variants.map((variant) => variant.type)
          : 'inner' in type && type.inner !== undefined
            ? [type.inner]
            : [];
    const size = this.#sizes.get(type) ?? parts.reduce((sum, part) => sum + this.#sizeOf(part), 1);
    this.#sizes.set(type, size);
    return size;
  }

  #sized({ kind, n }: TypeRow): LayoutType | undefined {
    if (n === undefined) {
      return undefined;
    }
    switch (kind) {
      case 'intN':
      case 'uintN':
        return { kind: kind === 'intN' ? 'int' : 'uint', bits: n };
      case 'varintN':
      case 'varuintN':
        return { kind: kind === 'varintN' ? 'varint' : 'varuint', lengthBits: n === 16 ? 4 : 5 };
      case 'bitsN':
        return { kind: 'bits', bits: n };
      default:
        return undefined;
    }
  }

  #compound(row: TypeRow, position: number, depth: number): LayoutType {
    const inner = (): LayoutType => this.#at(row.inner_ty_idx, depth);
    switch (row.kind) {
      case 'nullable':
        return { kind: 'maybe', inner: inner() };
      case 'cellOf':
        return { kind: 'cell', inner: inner() };
      case 'tensor':
      case 'shapedTuple':
        return {
          kind: 'sequence',
          items: (row.items_ty_idx ?? []).map((item, place) => ({
            name: place.toString(),
            type: this.#at(item, depth),
          })),
        };
      case 'union':
        return {
          kind: 'union',
          variants: (row.variants ?? []).map((variant) => ({
            prefix: prefixOf(variant),
            own: variant.is_prefix_implicit === true,
            type: this.#at(variant.variant_ty_idx, depth),
          })),
        };
      case 'StructRef':
        return { kind: 'struct', key: keyOf(position) };
      default:
        return this.#named(row, position, depth);
    }
  }

  #named(row: TypeRow, position: number, depth: number): LayoutType {
    const declared = this.#declared(row);
    if (declared === undefined) {
      return { kind: 'unknown', what: row.kind };
    }
    if (isCustom(declared)) {
      return custom(declared.name);
    }
    if (row.kind === 'EnumRef') {
      return {
        kind: 'enum',
        name: declared.name,
        inner: this.#at(declared.encoded_as_ty_idx, depth),
        members: new Map((declared.members ?? []).map(({ name, value }) => [BigInt(value), name])),
      };
    }
    return this.#at(this.#targets.get(position) ?? declared.target_ty_idx, depth);
  }

  #declared(row: TypeRow): Declaration | undefined {
    const name = row.struct_name ?? row.alias_name ?? row.enum_name;
    return name === undefined ? undefined : this.#declarations.get(name);
  }
}

/** Structs are told apart by their place among the types: a generic one has a name for many. */
function keyOf(position: number): string {
  return position.toString();
}

function prefixOf({ prefix_num: number, prefix_str: text, prefix_len: bits }: PrefixRow): LayoutPrefix {
  return { value: text === undefined ? BigInt(number ?? 0) : BigInt(text), bits };
}

/** The contract's own code packs and unpacks it. */
function isCustom({ custom_pack_unpack: own }: Declaration): boolean {
  return typeof own === 'object' && own !== null && Object.values(own).some((part) => part === true);
}

function custom(name: string): LayoutType {
  return { kind: 'unknown', what: `${name} is packed by code of the contract's own` };
}
