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
