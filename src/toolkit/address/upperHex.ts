/**
 * Hex digits, or a raw address, in uppercase: how the services write addresses and the bytes of decoded bodies.
 * Inside the program both are lowercase.
 */
export function upperHex(text: string): string {
  return text.toUpperCase();
}
