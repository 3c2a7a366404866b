/**
 * The characters of a number at the top of a JSON object, as written; undefined if the value is not a number. Of
 * repeated names the last one counts, as for JSON.parse.
 *
 * @param text a valid JSON object
 */
export function jsonNumberOf(text: string, name: string): string | undefined {
  let depth = 0;
  let found: string | undefined;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '{' || character === '[') {
      depth += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
    } else if (character === '"') {
      const end = endOfString(text, index);
      const colon = depth === 1 ? skipSpace(text, end) : end;
      if (depth === 1 && text[colon] === ':' && JSON.parse(text.slice(index, end)) === name) {
        found = numberAt(text, skipSpace(text, colon + 1));
      }
      index = end - 1;
    }
  }
  return found;
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') {
    index += text[index] === '\\' ? 2 : 1;
  }
  return index + 1;
}

function skipSpace(text: string, start: number): number {
  let index = start;
  while (' \t\r\n'.includes(text[index] ?? '.')) {
    index += 1;
  }
  return index;
}

function numberAt(text: string, start: number): string | undefined {
  let end = start;
  while ('-+.eE0123456789'.includes(text[end] ?? ' ')) {
    end += 1;
  }
  return end === start ? undefined : text.slice(start, end);
}
