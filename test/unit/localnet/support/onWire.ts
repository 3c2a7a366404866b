/** As the services print them; inside the program hashes are hex, addresses raw, both in lower case. */

/** A raw address in an answer of v3. */
export function addressOnWire(raw: string): string {
  return raw.toUpperCase();
}

/** A hash in an answer. */
export function hashOnWire(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}
