/** Names of accounts by their addresses; of several names, the last. */
export function namesByAddress(
  accounts: Iterable<readonly [name: string, address: string]>,
): Map<string, string> {
  return new Map([...accounts].map(([name, address]) => [address, name]));
}
