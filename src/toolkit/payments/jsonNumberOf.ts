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
      if (depth === 1 && text[colon] === ':' && keyOf(text.slice(index, end)) === name) {
        found = numberAt(text, skipSpace(text, colon + 1));
      }
      index = end - 1;
    }
  }
  return found;
}

/** @param literal with its quotes */
function keyOf(literal: string): unknown {
  return literal.includes('\\') ? JSON.parse(literal) : literal.slice(1, -1);
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) {
    end = text.indexOf('"', end + 1);
  }
  return end < 0 ? text.length : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') {
    start -= 1;
  }
  return (at - start) % 2 === 1;
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
