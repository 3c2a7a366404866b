import type { AbiType } from '../abi/abiType';

/**
 * The names that can follow in a path: fields of a struct, indexes of a tuple; undefined if that depends on
 * the answer.
 */
export function partNames(at: AbiType): string[] | undefined {
  const type = plainType(at);
  switch (type.kind) {
    case 'struct':
      return type.fields.map(({ name }) => name);
    case 'tensor':
    case 'typedTuple':
      return type.items.map((_, index) => String(index));
    case 'cellOf':
      return partNames(type.inner);
    case 'unknown':
    case 'named':
    case 'list':
    case 'array':
    case 'union':
    case 'tuple':
      return undefined;
    default:
      return [];
  }
}

/** The type of a field or of an item. */
export function partType(at: AbiType, name: string): AbiType | undefined {
  const type = plainType(at);
  switch (type.kind) {
    case 'struct':
      return type.fields.find((field) => field.name === name)?.type;
    case 'tensor':
    case 'typedTuple':
      return type.items[Number(name)];
    case 'list':
    case 'array':
      return type.inner;
    case 'cellOf':
      return partType(type.inner, name);
    default:
      return undefined;
  }
}

/** The underlying type of a nullable one; other types are returned as they are. */
export function plainType(type: AbiType): AbiType {
  return type.kind === 'nullable' ? plainType(type.inner) : type;
}
