import type { IncomingHttpHeaders } from 'node:http';
import { isLoopbackHost } from './isLoopbackHost';

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
