/** The exit codes of a contract by their names in its source. */
export function constantsOf(errors: ReadonlyMap<number, string> = new Map()): ReadonlyMap<string, number> {
  return new Map([...errors].map(([code, name]) => [name, code]));
}
