/** A text as a TypeScript literal in single quotes. */
export function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
}
