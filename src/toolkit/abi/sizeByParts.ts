/**
 * Counts the nodes in a tree of types, itself included; repeated parts count each time. Results are cached.
 */
export function sizeByParts<Type extends object>(
  partsOf: (type: Type) => readonly Type[],
): (type: Type) => number {
  const sizes = new WeakMap<Type, number>();
  const sizeOf = (type: Type): number => {
    const known = sizes.get(type);
    if (known !== undefined) {
      return known;
    }
    const size = partsOf(type).reduce((sum, part) => sum + sizeOf(part), 1);
    sizes.set(type, size);
    return size;
  };
  return sizeOf;
}
