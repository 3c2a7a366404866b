/** An object's own value under an untrusted name: ignores inherited ones such as `constructor` and `toString`. */
export function ownValue<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
