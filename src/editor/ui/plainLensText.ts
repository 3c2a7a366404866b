/** Text for the title of a lens in which nothing becomes an icon: `$(name)` may come from the chain. */
export function plainLensText(text: string): string {
  return text.replaceAll('$(', '\\$(');
}
