/** What is put into a text. */
export interface Insertion {
  offset: number;
  text: string;
}

/** A text with insertions; those at one offset stay in their order. */
export function withInsertions(text: string, insertions: readonly Insertion[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { offset, text: inserted } of insertions.toSorted((a, b) => a.offset - b.offset)) {
    parts.push(text.slice(at, offset), inserted);
    at = offset;
  }
  return [...parts, text.slice(at)].join('');
}
