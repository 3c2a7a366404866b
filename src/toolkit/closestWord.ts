/** Longer words are not typos of one another. */
const longestWord = 64;

/** The candidate at most two edits away from the text (one for short words), ignoring case. */
export function closestWord(text: string, candidates: readonly string[]): string | undefined {
  const [closest] = candidates
    .map((candidate) => ({ candidate, distance: editDistance(text.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= (candidate.length >= 5 ? 2 : 1))
    .sort((a, b) => a.distance - b.distance);
  return closest?.candidate;
}

/** Levenshtein distance; long texts, and those of very different length, are not compared. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2 || a.length > longestWord) {
    return 3;
  }
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
