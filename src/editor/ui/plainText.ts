/** Text for a lens title in which nothing turns into an icon: `$(name)` may come from the chain. */
export function plainLensText(text: string): string {
  return text.replaceAll('$(', '\\$(');
}

/** Text for a notification in which nothing turns into a link: `[text](command:…)` may come from a stranger. */
export function plainMessageText(text: string): string {
  return text.replaceAll('](', '] (');
}
