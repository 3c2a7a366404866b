import type { IncomingHttpHeaders } from 'node:http';

/**
 * The foreign web page that made a request: its origin, the host name rebound to this machine, or `another site` if
 * the browser reveals no more; undefined for programs and for pages of this machine.
 * @param allowed origins treated like those of this machine, such as `https://app.example.org`
 */
export function foreignPage(
  { host = '', origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  allowed: readonly string[],
): string | undefined {
  if (origin !== undefined) {
    const name = /^https?:\/\/(.*)$/i.exec(origin)?.[1] ?? '';
    return isLoopbackHost(name) || allowed.includes(origin.toLowerCase()) ? undefined : origin;
  }
  if (!isLoopbackHost(host) && !allowed.some((one) => new URL(one).host === host.toLowerCase())) {
    return host;
  }
  // Images and forms need no CORS, and then there is no Origin header.
  return site === 'cross-site' ? 'another site' : undefined;
}

/** `https://App.example.org/` normalized as browsers send it in Origin; undefined for anything else. */
export function readOrigin(text: string): string | undefined {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  return url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    /^\/?$/.test(url.pathname) &&
    url.search === ''
    ? url.origin
    : undefined;
}

/**
 * Whether a request has at most one Host header. Node.js takes the first of several, and what stands before a server may take
 * another one.
 * @param rawHeaders names and values in turn, as Node.js has them
 */
export function hasOneHost(rawHeaders: readonly string[]): boolean {
  return rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length <= 1;
}

/** Whether a host, with or without a port, is this machine: `localhost:8081`, `127.0.0.1`, `[::1]`, `app.localhost`. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|(?:[a-z0-9-]+\.)*localhost|\[::1\])(?::\d+)?$/i.test(host);
}
