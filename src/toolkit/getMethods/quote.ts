/** A text as a literal of TypeScript, in single quotes. */
export function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
}
