/** Text for a notification in which nothing turns into a link: `[text](command:…)` may come from a stranger. */
export function plainMessageText(text: string): string {
  return text.replaceAll('](', '] (');
}
