import type { AbiType } from './abiType';

const known = new WeakMap<AbiType, AbiType>();

/** Tact takes a struct argument, and returns an optional struct, as one TVM tuple. */
export function tactArgument(type: AbiType): AbiType {
  const result = known.get(type) ?? withTuples(type);
  known.set(type, result);
  return result;
}

function withTuples(type: AbiType): AbiType {
  if (type.kind === 'struct') {
    return {
      ...type,
      asTuple: true,
      fields: type.fields.map((field) => ({ ...field, type: tactArgument(field.type) })),
    };
  }
  return type.kind === 'nullable' ? { ...type, inner: tactArgument(type.inner) } : type;
}
