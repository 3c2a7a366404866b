import { typeText } from '../abi/abiType';
import type { LayoutField, LayoutSet, LayoutType } from './cellLayout';
import { stackTypeOf } from './stackTypeOf';

/** The type in Tolk syntax, for display: `uint64`, `Cell<Limits>`, `map<address, int32>`. */
export function layoutTypeText(type: LayoutType, set: LayoutSet): string {
  const inner = (part: LayoutType): string => layoutTypeText(part, set);
  switch (type.kind) {
    case 'int':
    case 'uint':
    case 'varint':
    case 'varuint':
    case 'coins':
      return typeText(stackTypeOf(type));
    case 'bits':
      return `bits${type.bits}`;
    case 'rest':
      return 'RemainingBitsAndRefs';
    case 'text':
      return 'string';
    case 'none':
      return 'null';
    case 'cell':
      return type.inner === undefined ? 'cell' : `Cell<${inner(type.inner)}>`;
    case 'maybe':
      return `${inner(type.inner)}?`;
    case 'either':
      return `Either<${inner(type.inner)}, Cell<${inner(type.inner)}>>`;
    case 'map':
      return type.key === undefined || type.value === undefined
        ? 'dict'
        : `map<${inner(type.key)}, ${inner(type.value)}>`;
    case 'sequence':
      return `(${type.items.map((item) => inner(item.type)).join(', ')})`;
    case 'struct':
      return set.structs.get(type.key)?.name ?? type.key;
    case 'union':
      return type.variants.map((variant) => inner(variant.type)).join(' | ');
    case 'enum':
      return type.name;
    case 'unknown':
      return 'unknown';
    default:
      return type.kind;
  }
}

/** Fields with their types, for display: `who: address, weight: uint32`. */
export function fieldsText(fields: readonly LayoutField[], set: LayoutSet): string {
  return fields.map(({ name, type }) => `${name}: ${layoutTypeText(type, set)}`).join(', ');
}
