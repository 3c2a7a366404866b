/** One value of a summary, with the field's name, if any. */
export interface SummaryPart {
  name?: string;
  text: string;
}

/** The summary on one line. */
export function summaryText(parts: readonly SummaryPart[]): string {
  return parts.map(({ name, text }) => (name === undefined ? text : `${name} ${text}`)).join(', ');
}

/** The answer as a value: `42`, or `{owner: alice, count: 0, … 2 more}` where its parts have names. */
export function answerText(parts: readonly SummaryPart[]): string {
  const texts = parts.map(({ name, text }) => (name === undefined ? text : `${name}: ${text}`));
  return parts.some(({ name }) => name !== undefined) ? `{${texts.join(', ')}}` : texts.join(', ');
}

/** What changed: `supply 1 000 → 1 337`. If the parts cannot be compared, both in full. */
export function changeText(before: readonly SummaryPart[], now: readonly SummaryPart[]): string {
  if (before.length !== now.length || before.some(({ name }, index) => name !== now[index]?.name)) {
    return `${summaryText(before)} → ${summaryText(now)}`;
  }
  const changed = now.flatMap(({ name, text }, index) => {
    const was = before[index]?.text ?? '';
    return was === text ? [] : [{ ...(name === undefined ? {} : { name }), text: `${was} → ${text}` }];
  });
  return summaryText(changed);
}
