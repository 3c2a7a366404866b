/**
 * What an object itself has under a name that comes from outside: `constructor`, `toString` and whatever else every object
 * inherits are not there.
 */
export function ownValue<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
