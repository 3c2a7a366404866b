import * as z from 'zod';
import { readAbi } from '../abi/readAbi';
import { tolkAbiParts, TolkDeclarations, tolkDeclaration, tolkTypeRow, typeIndex } from '../abi/readTolkAbi';
import type { TypePrefix } from '../abi/abiType';
import { boundedLayout } from './layoutSet';
import type { LayoutField, LayoutSet, LayoutType, StructLayout } from './layoutSet';
import { ownValue } from '../../base/collections';

const prefixRow = z.looseObject({
  prefix_num: z.number().optional(),
  prefix_str: z.string().optional(),
  prefix_len: z.number().int().min(0).max(256),
});
type PrefixRow = z.output<typeof prefixRow>;
const typeRow = tolkTypeRow.extend({
  variants: z
    .array(prefixRow.extend({ variant_ty_idx: typeIndex, is_prefix_implicit: z.boolean().nullish() }))
    .optional(),
});
type TypeRow = z.output<typeof typeRow>;
const declaration = tolkDeclaration.extend({
  type_params: z.array(z.string()).nullish(),
  prefix: prefixRow.nullish(),
  custom_pack_unpack: z.unknown().optional(),
});
type Declaration = z.output<typeof declaration>;
const tolkAbi = z.looseObject({
  ...tolkAbiParts,
  unique_types: z.array(typeRow),
  declarations: z.array(declaration),
  storage: z.looseObject({ storage_ty_idx: typeIndex.optional() }).nullish(),
  incoming_messages: z.array(z.looseObject({ body_ty_idx: typeIndex.optional() })).nullish(),
});
type TolkAbi = z.output<typeof tolkAbi>;

/**
 * Reads the structs and their prefixes from the ABI JSON that newer Tolk compilers write.
 * @throws WorkbenchError `abi-unreadable` (input)
 */
export function readTolkLayouts(origin: string, text: string): LayoutSet {
  const abi = readAbi('Tolk ABI', tolkAbi, text);
  return { origin, contract: abi.contract_name, structs: new Types(abi).structs() };
}

/** Types with a fixed layout. */
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
  nullLiteral: { kind: 'none' },
  void: { kind: 'none' },
};

/** Maximum length of a chain of aliases. */
const deepest = 24;

class Types {
  readonly #known = new Map<number, LayoutType>();
  readonly #declarations: TolkDeclarations<Declaration>;

  constructor(private readonly abi: TolkAbi) {
    this.#declarations = new TolkDeclarations(abi);
  }

  /** Every struct that is not generic, and every instantiation of one that is. */
  structs(): Map<string, StructLayout> {
    const found = new Map<string, StructLayout>();
    const storage = this.abi.storage?.storage_ty_idx;
    const received = this.#received();
    for (const [position, row] of this.abi.unique_types.entries()) {
      const declared = this.#declarations.of(row);
      if (row.kind !== 'StructRef' || declared === undefined || declared.kind !== 'struct') {
        continue;
      }
      const own = this.#declarations.fields.get(position);
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
        isMessage: received.has(position),
      });
    }
    return found;
  }

  /** The types of incoming messages, with the variants of unions. */
  #received(): ReadonlySet<number> {
    const bodies = (this.abi.incoming_messages ?? []).flatMap(({ body_ty_idx: at }) =>
      at === undefined ? [] : [at],
    );
    const variants = bodies.flatMap((at) => this.abi.unique_types[at]?.variants ?? []);
    return new Set([...bodies, ...variants.map(({ variant_ty_idx: at }) => at)]);
  }

  #at(position: number | undefined, depth: number): LayoutType {
    const row = position === undefined ? undefined : this.abi.unique_types[position];
    if (row === undefined || position === undefined || depth > deepest) {
      return { kind: 'unknown', what: 'a type that is not in the ABI' };
    }
    const known = this.#known.get(position);
    if (known !== undefined) {
      return known;
    }
    this.#known.set(position, { kind: 'unknown', what: 'a type that contains itself' });
    const simple = ownValue(plain, row.kind);
    const type = boundedLayout(simple ?? this.#sized(row) ?? this.#compound(row, position, depth + 1));
    this.#known.set(position, type);
    return type;
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
      case 'mapKV':
        return {
          kind: 'map',
          key: this.#at(row.key_ty_idx, depth),
          value: this.#at(row.value_ty_idx, depth),
        };
      default:
        return this.#named(row, position, depth);
    }
  }

  #named(row: TypeRow, position: number, depth: number): LayoutType {
    const declared = this.#declarations.of(row);
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
    return this.#at(this.#declarations.targets.get(position) ?? declared.target_ty_idx, depth);
  }
}

/** Structs are identified by their index among the types: instantiations of a generic one share its name. */
function keyOf(position: number): string {
  return position.toString();
}

function prefixOf({ prefix_num: number, prefix_str: text, prefix_len: bits }: PrefixRow): TypePrefix {
  return { value: text === undefined ? BigInt(number ?? 0) : BigInt(text), bits };
}

/** Whether the contract's own code packs and unpacks the type. */
function isCustom({ custom_pack_unpack: own }: Declaration): boolean {
  return typeof own === 'object' && own !== null && Object.values(own).some((part) => part === true);
}

function custom(name: string): LayoutType {
  return { kind: 'unknown', what: `${name} is packed by custom code in the contract` };
}
