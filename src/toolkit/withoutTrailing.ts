/** `text` without trailing `characters`. A regular expression would be quadratic. A window starts with this, and not with text.ts. */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) {
    end--;
  }
  return text.slice(0, end);
}
