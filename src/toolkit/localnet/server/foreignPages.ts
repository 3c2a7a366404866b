import type { IncomingHttpHeaders } from 'node:http';

const loopback = /^(?:127(?:\.\d{1,3}){3}|(?:[a-z0-9-]+\.)*localhost|\[::1\])(?::\d+)?$/i;

/**
 * Which web page made a request, if one did that is not of this machine: its origin, or the name that was rebound to this
 * machine, or `another site` where the browser says no more; undefined for programs and for pages of this machine.
 * @param allowed origins whose pages are as good as those of this machine, such as `https://app.example.org`
 */
export function foreignPage(
  { host = '', origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  allowed: readonly string[],
): string | undefined {
  if (origin !== undefined) {
    const name = /^https?:\/\/(.*)$/i.exec(origin)?.[1] ?? '';
    return loopback.test(name) || allowed.includes(origin.toLowerCase()) ? undefined : origin;
  }
  if (!loopback.test(host) && !allowed.some((one) => new URL(one).host === host.toLowerCase())) {
    return host;
  }
  // An image or a form needs no CORS, and then no Origin comes along.
  return site === 'cross-site' ? 'another site' : undefined;
}

/** `https://App.example.org/` as browsers name it in Origin; undefined for anything else. */
export function readOrigin(text: string): string | undefined {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  return url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    /^\/?$/.test(url.pathname) &&
    url.search === ''
    ? url.origin
    : undefined;
}
