/** Deeper levels stand below one another: brackets alone would make a text of quadratic size. */
const deepestIndent = 40;

/**
 * JSON text with line breaks and two spaces of indentation. It changes white space only: numbers beyond 2^53, the order of
 * keys and duplicate keys stay as they were sent, which parsing and printing would not keep.
 * @param text valid JSON
 */
export function prettyJson(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  const newLine = (): string => `\n${'  '.repeat(Math.min(depth, deepestIndent))}`;
  const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
  let opened = false;
  for (const [part] of text.matchAll(token)) {
    const closes = part === '}' || part === ']';
    if (opened && !closes) {
      parts.push(newLine());
    }
    if (closes) {
      depth -= 1;
      parts.push(opened ? part : newLine() + part);
    } else if (part === '{' || part === '[') {
      depth += 1;
      parts.push(part);
    } else if (part === ',') {
      parts.push(part + newLine());
    } else {
      parts.push(part === ':' ? ': ' : part);
    }
    opened = part === '{' || part === '[';
  }
  return parts.join('');
}
