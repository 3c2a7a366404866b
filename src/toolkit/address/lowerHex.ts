/** Hex digits, or a raw address, in lowercase: the form inside the program. The text is not checked. */
export function lowerHex(text: string): string {
  return text.toLowerCase();
}
