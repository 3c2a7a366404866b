/** Several values per key; most keys have one, so a single value is stored bare. */
export class MultiMap<V extends object> {
  readonly #map = new Map<string, V | V[]>();

  add(key: string, value: V): void {
    const found = this.#map.get(key);
    if (found === undefined) {
      this.#map.set(key, value);
    } else if (Array.isArray(found)) {
      found.push(value);
    } else {
      this.#map.set(key, [found, value]);
    }
  }

  get(key: string): readonly V[] {
    const found = this.#map.get(key);
    return found === undefined ? [] : Array.isArray(found) ? found : [found];
  }
}
