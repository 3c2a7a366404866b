import type { AbiType } from './abiType';

const asArguments = new WeakMap<AbiType, AbiType>();

/** A type as Tact takes it as an argument: each struct is one TVM tuple, those within it, too. */
export function tactArgument(type: AbiType): AbiType {
  const result = asArguments.get(type) ?? withTuples(type);
  asArguments.set(type, result);
  return result;
}

function withTuples(type: AbiType): AbiType {
  if (type.kind === 'struct') {
    return { ...type, asTuple: true, fields: fieldsAs(type, tactArgument) };
  }
  return type.kind === 'nullable' ? { ...type, inner: tactArgument(type.inner) } : type;
}

/**
 * A type as Tact returns it. The entries of a struct follow one another, those of structs within it, too; an optional
 * struct is the same tuple as an argument.
 */
export function tactResult(type: AbiType): AbiType {
  return type.kind === 'nullable' ? tactArgument(type) : tactValue(type);
}

/** As Tact has it in a variable: an optional struct is one tuple of all entries. */
function tactValue(type: AbiType): AbiType {
  if (type.kind === 'struct') {
    return { ...type, fields: fieldsAs(type, tactValue) };
  }
  return type.kind === 'nullable' && type.inner.kind === 'struct'
    ? { ...type, inner: { ...type.inner, asTuple: true, fields: fieldsAs(type.inner, tactValue) } }
    : type;
}

type Struct = Extract<AbiType, { kind: 'struct' }>;

function fieldsAs({ fields }: Struct, as: (type: AbiType) => AbiType): Struct['fields'] {
  return fields.map((field) => ({ ...field, type: as(field.type) }));
}
