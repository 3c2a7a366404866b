/** Text that fits into `length` characters, its end cut off where it does not. */
export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
