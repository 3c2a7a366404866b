/** One word for a POSIX shell, whatever it contains. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
