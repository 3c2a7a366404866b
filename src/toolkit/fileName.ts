/** The last part of a path, whichever slashes separate its parts. */
export function fileName(path: string): string {
  return path.replace(/^.*[/\\]/s, '');
}
