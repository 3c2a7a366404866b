import * as z from 'zod';

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
export function tolkTypeName({ struct_name, alias_name, enum_name }: NamedRow): string | undefined {
  return struct_name ?? alias_name ?? enum_name;
}
