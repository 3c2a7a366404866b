/**
 * Hex digits, or a raw address, in upper case: how the services write addresses and the bytes of decoded bodies. Inside the
 * program both are in lower case.
 */
export function upperHex(text: string): string {
  return text.toUpperCase();
}
