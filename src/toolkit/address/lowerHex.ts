/** Hex digits, or a raw address, in lower case: the form inside the program. The text is not checked. */
export function lowerHex(text: string): string {
  return text.toLowerCase();
}
