import type { Suggestion } from '../ui/pickOrType';

/** The suggestions in two groups: the first `split`, and the rest. */
export function withGroups(
  suggestions: readonly Suggestion[],
  split: number,
  first: string,
  second: string,
): Suggestion[] {
  return suggestions.map((suggestion, index) => {
    if (index === 0 && split > 0) {
      return { ...suggestion, group: first };
    }
    return index === split ? { ...suggestion, group: second } : suggestion;
  });
}
