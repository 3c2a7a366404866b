import type { IncomingMessage } from 'node:http';
import { limits } from '../../limits';
import type { Verdict } from '../delivery/delivery';
import type { HeaderList } from '../delivery/headerList';

/** Maximum size of a body, in bytes. */
const maximumBodyBytes = limits.webhookBody.most;

/** Which requests are let in. */
export interface GateOptions {
  /** Bound port: a loopback host name must have it, or none. */
  port: number;
  /** Host names of tunnels and port forwards: `name`, `name:port`, or `*.name` for every name below it. */
  allowedHosts: readonly string[];
}

/** A request rejected by its head. */
export interface GateRefusal {
  status: 403 | 405 | 413 | 415 | 421;
  verdict: Extract<Verdict, 'malformed' | 'too-large'>;
  reason: string;
}

const browserHeaders = ['origin', 'sec-fetch-site'] as const;

/** Node's flat list of raw headers as pairs. */
export function headerList(rawHeaders: readonly string[]): HeaderList {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  }
  return headers;
}

/** The path of a request target in origin form; undefined for other forms, which are not sent to servers. */
export function pathOf(target: string | undefined): string | undefined {
  return target?.startsWith('/') ? target.split('?', 1)[0] : undefined;
}

/**
 * Checks the head of a request on the path, in order: method, host, browser headers, encoding, declared length. Null
 * when the body may be read.
 */
export function checkHead(
  request: Pick<IncomingMessage, 'method' | 'headers'>,
  headers: HeaderList,
  options: GateOptions,
): GateRefusal | null {
  if (request.method !== 'POST') {
    return refusal(405, `method: webhooks use POST, not ${request.method ?? 'nothing'}`);
  }
  let host: string | undefined;
  for (const [name, value] of headers) {
    if (name.length === 4 && name.toLowerCase() === 'host') {
      if (host !== undefined) {
        return refusal(421, 'host: more than one Host header');
      }
      host = value;
    }
  }
  if (host === undefined) {
    return refusal(421, 'host: no Host header');
  }
  if (host !== `127.0.0.1:${options.port}` && !isAllowedHost(host, options)) {
    return refusal(
      421,
      `host: ${host.slice(0, 100)} is not this listener's name; allow the host name of your tunnel first`,
    );
  }
  const browser = browserHeaders.find((name) => request.headers[name] !== undefined);
  if (browser !== undefined) {
    return refusal(
      403,
      `browser: the header ${browser} indicates a web page, but webhooks come from servers`,
    );
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    return refusal(
      415,
      'encoding: compressed bodies are not accepted, because the signature covers the raw bytes',
    );
  }
  if (Number(request.headers['content-length'] ?? 0) > maximumBodyBytes) {
    return tooLarge();
  }
  return null;
}

/** A body beyond the limit, declared or found while reading. */
export function tooLarge(): GateRefusal {
  return {
    status: 413,
    verdict: 'too-large',
    reason: `too large: the body is over ${maximumBodyBytes / 1024 / 1024} MiB`,
  };
}

function isAllowedHost(value: string, { port, allowedHosts }: GateOptions): boolean {
  const match = /^(\[[0-9a-f:]+\]|[^:]*)(?::(\d{1,5}))?$/i.exec(value.trim().toLowerCase());
  const [, name = '', hostPort] = match ?? [];
  if (name === '') {
    return false;
  }
  if (['localhost', '127.0.0.1', '[::1]'].includes(name)) {
    if (hostPort === undefined || hostPort === String(port)) {
      return true;
    }
  }
  return allowedHosts.some((entry) => {
    const allowed = entry.toLowerCase();
    if (allowed.startsWith('*.')) {
      return name.endsWith(allowed.slice(1)) && name.length > allowed.length - 1;
    }
    return allowed === name || (hostPort !== undefined && allowed === `${name}:${hostPort}`);
  });
}

function refusal(status: GateRefusal['status'], reason: string): GateRefusal {
  return { status, verdict: 'malformed', reason };
}
