/** Index of the first character that is neither base64 nor base64url (padding allowed only at the end), or -1. */
export function findNonBase64(text: string): number {
  const body = text.replace(/={1,2}$/, '');
  return body.search(/[^A-Za-z0-9+/_-]/);
}
