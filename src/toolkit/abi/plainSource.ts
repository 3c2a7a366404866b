/**
 * A source in any of the three languages without comments, with each run of white space collapsed to one space or
 * line break, so that patterns match in linear time. An unclosed comment is kept.
 */
export function plainSource(text: string): string {
  if (text !== last.text) {
    last = { text, plain: withoutComments(text) };
  }
  return last.plain;
}

/** Several readers ask for the same text, one after another. */
let last = { text: '', plain: '' };

function withoutComments(text: string): string {
  const parts: string[] = [];
  const never = new Set<string>();
  const mark = /\/\/|;;|\/\*|\{-/g;
  let from = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [open] = found;
    const close = open === '/*' ? '*/' : open === '{-' ? '-}' : '\n';
    const end = never.has(close) ? -1 : text.indexOf(close, mark.lastIndex);
    if (end < 0 && close !== '\n') {
      never.add(close);
      continue;
    }
    parts.push(text.slice(from, found.index), ' ');
    from = end < 0 ? text.length : end + (close === '\n' ? 0 : close.length);
    mark.lastIndex = from;
  }
  parts.push(text.slice(from));
  return parts.join('').replace(/\s+/g, (run) => (run.includes('\n') ? '\n' : ' '));
}
