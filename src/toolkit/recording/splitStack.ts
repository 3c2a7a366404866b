const opening = new Set(['(', '[', '{']);
const closing = new Set([')', ']', '}']);

/** The entries of a stack as the VM prints it. */
export function splitStack(text: string): string[] {
  const entries: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const char = text[at];
    if (char === undefined || (char === ' ' && depth === 0)) {
      if (at > start) {
        entries.push(text.slice(start, at));
      }
      start = at + 1;
    } else if (opening.has(char)) {
      depth += 1;
    } else if (closing.has(char)) {
      depth -= 1;
    }
  }
  return entries;
}
