/** Addresses and hashes are shortened the same way everywhere: the first 6 characters, the last 4. */
export function shortAddress(text: string): string {
  return text.length <= 12 ? text : `${text.slice(0, 6)}…${text.slice(-4)}`;
}
