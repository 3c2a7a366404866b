import * as z from 'zod';
import { ownValue } from '../../base/collections';
import { limits } from '../../base/limits';
import { readAbi } from './readAbi';
import type { AbiType } from './abiType';
import { boundedType, unknownType } from './abiType';
import type { GetMethodSignature } from './getMethodSignature';
import type { ContractAbi } from './readTactAbi';

/** Position in `unique_types`. */
export const typeIndex = z.number().int().nonnegative();

/** A row of `unique_types`, but for its `variants`. */
export const tolkTypeRow = z.looseObject({
  kind: z.string(),
  n: z.number().optional(),
  inner_ty_idx: typeIndex.optional(),
  items_ty_idx: z.array(typeIndex).optional(),
  key_ty_idx: typeIndex.optional(),
  value_ty_idx: typeIndex.optional(),
  struct_name: z.string().optional(),
  alias_name: z.string().optional(),
  enum_name: z.string().optional(),
});

/** A struct, alias or enum of the source. */
export const tolkDeclaration = z.looseObject({
  kind: z.string(),
  name: z.string(),
  ty_idx: typeIndex.optional(),
  fields: z.array(z.looseObject({ name: z.string(), ty_idx: typeIndex })).optional(),
  target_ty_idx: typeIndex.optional(),
  encoded_as_ty_idx: typeIndex.optional(),
  members: z.array(z.looseObject({ name: z.string(), value: z.string() })).optional(),
});

/**
 * The parts of newer Tolk compilers' ABI JSON shared by the readers of stack types and of cell layouts; each adds its
 * own type rows and declarations.
 */
export const tolkAbiParts = {
  contract_name: z.string().optional(),
  struct_instantiations: z
    .array(z.looseObject({ ty_idx: typeIndex, monomorphic_fields_ty_idx: z.array(typeIndex) }))
    .optional(),
  alias_instantiations: z
    .array(z.looseObject({ ty_idx: typeIndex, monomorphic_target_ty_idx: typeIndex }))
    .optional(),
};

type NamedRow = Pick<z.output<typeof tolkTypeRow>, 'struct_name' | 'alias_name' | 'enum_name'>;

/** The declarations of an ABI by name, and the instances of generic ones by type index. */
export class TolkDeclarations<D extends z.output<typeof tolkDeclaration>> {
  readonly #byName: ReadonlyMap<string, D>;
  /** Field types of a struct used with type arguments. */
  readonly fields: ReadonlyMap<number, readonly number[]>;
  /** The target of an alias used with type arguments. */
  readonly targets: ReadonlyMap<number, number>;

  constructor(abi: { declarations: readonly D[] } & z.output<z.ZodObject<typeof tolkAbiParts>>) {
    this.#byName = new Map(abi.declarations.map((one) => [one.name, one]));
    this.fields = new Map(
      abi.struct_instantiations?.map((one) => [one.ty_idx, one.monomorphic_fields_ty_idx]),
    );
    this.targets = new Map(
      abi.alias_instantiations?.map((one) => [one.ty_idx, one.monomorphic_target_ty_idx]),
    );
  }

  /** The declaration that a row of the types refers to. */
  of(row: NamedRow): D | undefined {
    const name = tolkTypeName(row);
    return name === undefined ? undefined : this.#byName.get(name);
  }
}

/** The name of a struct, alias or enum; undefined for a type without one. */
function tolkTypeName({ struct_name, alias_name, enum_name }: NamedRow): string | undefined {
  return struct_name ?? alias_name ?? enum_name;
}

const typeRow = tolkTypeRow.extend({
  stack_width: z.number().nullish(),
  variants: z
    .array(z.looseObject({ variant_ty_idx: typeIndex, stack_type_id: z.number().nullish() }))
    .optional(),
});
type TypeRow = z.output<typeof typeRow>;

const tolkAbi = z.looseObject({
  ...tolkAbiParts,
  abi_schema_version: z.string(),
  unique_types: z.array(typeRow),
  declarations: z.array(tolkDeclaration),
  get_methods: z.array(
    z.looseObject({
      tvm_method_id: z.number().optional(),
      name: z.string(),
      parameters: z.array(
        z.looseObject({ name: z.string(), ty_idx: typeIndex, default_value: z.unknown().optional() }),
      ),
      return_ty_idx: typeIndex,
      description: z.string().optional(),
    }),
  ),
  thrown_errors: z
    .array(
      z.looseObject({
        name: z.string().optional(),
        description: z.string().optional(),
        err_code: z.number(),
      }),
    )
    .optional(),
});
type TolkAbi = z.output<typeof tolkAbi>;

/**
 * Reads the ABI JSON that newer Tolk compilers (and Acton) write: types in one flat table, referred to by index.
 * @throws WorkbenchError `abi-unreadable`
 */
export function readTolkAbi(text: string): ContractAbi {
  const abi = readAbi('Tolk ABI', tolkAbi, text);
  const types = new TypeTable(abi);
  const contract = abi.contract_name === undefined ? {} : { contract: abi.contract_name };
  return {
    ...contract,
    methods: abi.get_methods.slice(0, limits.sourceMethods.most).map((method): GetMethodSignature => ({
      name: method.name,
      ...(method.tvm_method_id === undefined ? {} : { methodId: method.tvm_method_id }),
      parameters: method.parameters.map(({ name, ty_idx, default_value }) => {
        const defaultText = defaultTextOf(default_value);
        return { name, type: types.at(ty_idx), ...(defaultText === undefined ? {} : { defaultText }) };
      }),
      result: types.at(method.return_ty_idx),
      origin: 'compiler ABI',
      ...contract,
      ...(method.description ? { comment: method.description } : {}),
    })),
    errors: new Map(
      (abi.thrown_errors ?? []).flatMap(({ err_code, name, description }) => {
        const words = description || name;
        return words ? [[err_code, words] as const] : [];
      }),
    ),
  };
}

const plainKinds: Readonly<Record<string, AbiType>> = {
  int: { kind: 'int' },
  coins: { kind: 'coins' },
  bool: { kind: 'bool' },
  cell: { kind: 'cell' },
  builder: { kind: 'builder' },
  slice: { kind: 'slice' },
  string: { kind: 'string', isCell: true },
  remaining: { kind: 'slice' },
  address: { kind: 'address' },
  addressOpt: { kind: 'nullable', inner: { kind: 'address' } },
  addressExt: { kind: 'slice' },
  addressAny: { kind: 'address', isAny: true },
  nullLiteral: { kind: 'null' },
  callable: { kind: 'continuation' },
  void: { kind: 'void' },
};

/** Types deeper than this are recursive. */
const maximumDepth = 24;

class TypeTable {
  readonly #known = new Map<number, AbiType>();
  readonly #declarations: TolkDeclarations<z.output<typeof tolkDeclaration>>;

  constructor(private readonly abi: TolkAbi) {
    this.#declarations = new TolkDeclarations(abi);
  }

  at(position: number | undefined, depth = 0): AbiType {
    const row = position === undefined ? undefined : this.abi.unique_types[position];
    if (row === undefined || position === undefined || depth > maximumDepth) {
      return unknownType;
    }
    const known = this.#known.get(position);
    if (known !== undefined) {
      return known;
    }
    // A type that contains itself, directly or not, is only named there.
    const name = tolkTypeName(row);
    this.#known.set(position, name === undefined ? unknownType : { kind: 'named', name, arguments: [] });
    const type = boundedType(this.#read(row, position, depth));
    this.#known.set(position, type);
    return type;
  }

  #read(row: TypeRow, position: number, depth: number): AbiType {
    const plain = ownValue(plainKinds, row.kind);
    return (
      plain ?? this.sized(row) ?? this.compound(row, depth + 1) ?? this.declared(row, position, depth + 1)
    );
  }

  private sized({ kind, n }: TypeRow): AbiType | undefined {
    if (n === undefined) {
      return undefined;
    }
    switch (kind) {
      case 'intN':
      case 'uintN':
        return { kind: 'int', bits: n, signed: kind === 'intN' };
      case 'varintN':
      case 'varuintN':
        return { kind: 'int', bits: (n - 1) * 8, signed: kind === 'varintN', isVariable: true };
      case 'bitsN':
        return { kind: 'bits', bits: n };
      default:
        return undefined;
    }
  }

  private compound(row: TypeRow, depth: number): AbiType | undefined {
    const slots = row.stack_width == null ? {} : { slots: row.stack_width };
    const items = (): AbiType[] => (row.items_ty_idx ?? []).map((item) => this.at(item, depth));
    switch (row.kind) {
      case 'nullable':
        return { kind: 'nullable', inner: this.at(row.inner_ty_idx, depth), ...slots };
      case 'cellOf':
        return { kind: 'cellOf', inner: this.at(row.inner_ty_idx, depth) };
      case 'arrayOf':
        return { kind: 'array', inner: this.at(row.inner_ty_idx, depth) };
      case 'lispListOf':
        return { kind: 'list', inner: this.at(row.inner_ty_idx, depth) };
      case 'tensor':
        return { kind: 'tensor', items: items() };
      case 'shapedTuple':
        return { kind: 'typedTuple', items: items() };
      case 'mapKV':
        return { kind: 'map', key: this.at(row.key_ty_idx, depth), value: this.at(row.value_ty_idx, depth) };
      case 'union': {
        const variants = row.variants ?? [];
        const typeIds = variants.flatMap(({ stack_type_id }) =>
          stack_type_id == null ? [] : [stack_type_id],
        );
        return {
          kind: 'union',
          variants: variants.map(({ variant_ty_idx }) => this.at(variant_ty_idx, depth)),
          ...slots,
          ...(typeIds.length === variants.length ? { typeIds } : {}),
        };
      }
      default:
        return undefined;
    }
  }

  private declared(row: TypeRow, position: number, depth: number): AbiType {
    const found = this.#declarations.of(row);
    if (found === undefined) {
      return unknownType;
    }
    const { name } = found;
    switch (row.kind) {
      case 'StructRef': {
        const fields = (found.fields ?? []).map((one, place) => ({
          name: one.name,
          type: this.at(this.#declarations.fields.get(position)?.[place] ?? one.ty_idx, depth),
        }));
        return { kind: 'struct', name, fields };
      }
      case 'AliasRef': {
        return this.at(this.#declarations.targets.get(position) ?? found.target_ty_idx, depth);
      }
      case 'EnumRef':
        return {
          kind: 'enum',
          name,
          inner: this.at(found.encoded_as_ty_idx, depth),
          members: (found.members ?? []).map((member) => ({
            name: member.name,
            value: BigInt(member.value),
          })),
        };
      default:
        return unknownType;
    }
  }
}

/** The compiler's constant expression as stack text; undefined if it cannot be written as an argument. */
function defaultTextOf(expression: unknown): string | undefined {
  const { kind, v, str, addr, hex, inner } = (expression ?? {}) as Record<string, unknown>;
  switch (kind) {
    case 'int':
    case 'bool':
      return typeof v === 'string' || typeof v === 'boolean' ? String(v) : undefined;
    case 'null':
      return 'null';
    case 'string':
      return typeof str === 'string' ? JSON.stringify(str) : undefined;
    case 'address':
      return typeof addr === 'string' ? addr : undefined;
    case 'slice':
      return typeof hex === 'string' ? `x{${hex}}` : undefined;
    case 'castTo':
      return defaultTextOf(inner);
    default:
      return undefined;
  }
}
