import { limits } from '../limits';
import type { LayoutType } from './cellLayout';
import { sizeByParts } from '../abi/sizeByParts';

/**
 * The type, or `unknown` if it expands too far. Called for every type from the inside out: sixty nested pairs
 * are 2^60 types.
 */
export function boundedLayout(type: LayoutType): LayoutType {
  return sizeOf(type) > limits.typeParts.most ? { kind: 'unknown', what: 'a type that is too large' } : type;
}

/** The number of types within a type, itself included; repeated ones count each time. */
const sizeOf = sizeByParts(partsOf);

function partsOf(type: LayoutType): readonly LayoutType[] {
  switch (type.kind) {
    case 'sequence':
      return type.items.map((item) => item.type);
    case 'union':
      return type.variants.map((variant) => variant.type);
    case 'map':
      return [type.key, type.value].filter((part) => part !== undefined);
    default:
      return 'inner' in type && type.inner !== undefined ? [type.inner] : [];
  }
}
