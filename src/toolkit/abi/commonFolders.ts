/** How many folders two paths share from their start. */
export function commonFolders(a: string, b: string): number {
  const [of, to] = [a.split('/').slice(0, -1), b.split('/').slice(0, -1)];
  const differs = of.findIndex((part, place) => part !== to[place]);
  return differs < 0 ? of.length : differs;
}
