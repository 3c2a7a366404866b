/**
 * Puts an entry last in a map of at most `capacity` entries; the oldest ones are evicted.
 *
 * @param isInUse entries that are never evicted
 */
export function keepNewest<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  capacity: number,
  isInUse: (key: Key) => boolean = () => false,
): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= capacity) {
      return;
    }
    if (oldest !== key && !isInUse(oldest)) {
      map.delete(oldest);
    }
  }
}

/** An object's own value under an untrusted name: ignores inherited ones such as `constructor` and `toString`. */
export function ownValue<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** The items by key, keys in the order of their first item. (Node's own `Map.groupBy` begins with version 21.) */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [item]);
    } else {
      group.push(item);
    }
  }
  return groups;
}
