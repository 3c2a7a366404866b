/**
 * Whether a request has at most one Host header. Node.js takes the first of several, and what stands before a server may take
 * another one.
 * @param rawHeaders names and values in turn, as Node.js has them
 */
export function hasOneHost(rawHeaders: readonly string[]): boolean {
  return rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length <= 1;
}
