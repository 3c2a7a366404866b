/** Header names and values as received: order, case, and duplicates kept. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** What a header name looks like, as a sentence. */
export const headerNameHint =
  'A header name consists of letters, digits, and hyphens, for example X-Signature.';

/** Whether a text can be the name of a header (RFC 9110). */
export function isHeaderName(text: unknown): boolean {
  return typeof text === 'string' && /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/.test(text);
}
