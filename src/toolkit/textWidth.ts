import stringWidth from 'string-width';

/** Fast path for what most text is made of: printable ASCII and the product's own marks, all one column wide. */
const plain = /^[ -~·…×→←↩↳✓✗◌—–]*$/;

/** Columns that text takes in a fixed-width font: two for CJK and most emoji, none for combining marks. */
export function textWidth(text: string): number {
  return plain.test(text) ? text.length : stringWidth(text);
}

/** The widest of the texts, in columns; 0 for none. */
export function widestOf(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, textWidth(text)), 0);
}

/** Text followed by spaces up to `width` columns. */
export function padRight(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

/** Text after spaces, `width` columns in all. */
export function padLeft(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - textWidth(text))) + text;
}
