/** Text for a lens title in which nothing turns into an icon: `$(name)` may come from the chain. */
export function plainLensText(text: string): string {
  return text.replaceAll('$(', '\\$(');
}
