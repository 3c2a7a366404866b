/** Deeper levels are not indented further: brackets alone would make the text quadratic in size. */
const deepestIndent = 40;

/**
 * JSON text with line breaks and two spaces of indentation. Only changes white space: numbers beyond 2^53, key order,
 * and duplicate keys stay as sent, which parsing and printing would not preserve.
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
