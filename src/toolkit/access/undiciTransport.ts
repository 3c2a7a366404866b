import Agent from 'undici/lib/dispatcher/agent.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import request from 'undici/lib/api/api-request.js';
import { WorkbenchError } from '../errors';
import { TransportFailure, transportFailure } from './transport';
import type { Transport } from './transport';

/** Proxies by the scheme of the target, as the usual environment variables name them. */
export interface ProxySettings {
  /** URL of the proxy for http targets. */
  http?: string | undefined;
  /** URL of the proxy for https targets. */
  https?: string | undefined;
  /** Hosts that are reached directly, separated by commas: `example.org`, `.example.org`, `host:8080`, `*`. */
  direct?: string | undefined;
}

/** A transport that holds sockets. */
export interface ClosableTransport {
  transport: Transport;
  close(): Promise<void>;
}

/** This machine is never reached through a proxy. */
const loopback = ['localhost', '127.0.0.1', '[::1]'];

/**
 * A transport over undici with its own pool of kept-alive sockets, about three times as fast as fetch. For the command
 * line, replay and benchmarks; the editor uses fetch, which VS Code gives its proxy and certificate settings.
 * @throws WorkbenchError `proxy-invalid` (input)
 */
export function createUndiciTransport(proxies: ProxySettings = {}): ClosableTransport {
  const agent = createAgent(proxies);
  const transport: Transport = async ({ method, url, headers, body, signal, maximumBytes }) => {
    try {
      const { origin, pathname, search } = new URL(url);
      const answer = await request.call(agent, {
        origin,
        path: pathname + search,
        method,
        headers,
        body: body ?? null,
        signal,
        // The deadline of the exchange is the only one.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      return {
        status: answer.statusCode,
        header: (name) => {
          const value = answer.headers[name];
          return Array.isArray(value) ? value.join(', ') : value;
        },
        body: await readBody(answer, maximumBytes),
      };
    } catch (error) {
      if (signal.aborted) {
        throw signal.reason;
      }
      throw transportFailure(error);
    }
  };
  return { transport, close: () => agent.destroy() };
}

function createAgent({ http = '', https = '', direct = '' }: ProxySettings): Agent | EnvHttpProxyAgent {
  if (http === '' && https === '') {
    return new Agent();
  }
  for (const proxy of [http, https]) {
    if (proxy !== '' && !(URL.canParse(proxy) && /^https?:$/.test(new URL(proxy).protocol))) {
      throw proxyInvalidError();
    }
  }
  return new EnvHttpProxyAgent({
    httpProxy: http,
    httpsProxy: https,
    noProxy: direct.trim() === '*' ? '*' : [...loopback, direct].join(','),
    proxyTunnel: false,
  });
}

async function readBody(
  { headers, body }: Awaited<ReturnType<typeof request>>,
  maximumBytes: number,
): Promise<Buffer> {
  const announced = Number(headers['content-length'] ?? NaN);
  if (announced > maximumBytes) {
    refuse(body);
    throw new TransportFailure('too-large', `${announced} bytes announced`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maximumBytes) {
      refuse(body);
      throw new TransportFailure('too-large', `${size} bytes read`);
    }
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

function refuse(body: Awaited<ReturnType<typeof request>>['body']): void {
  body.on('error', () => undefined);
  body.destroy();
}

/** The text of a proxy may hold a password: it is not repeated. */
function proxyInvalidError(): WorkbenchError {
  return new WorkbenchError({
    code: 'proxy-invalid',
    kind: 'input',
    message: 'The address of the proxy is not an http or https URL.',
    hint: 'Check HTTP_PROXY and HTTPS_PROXY: http://host:port.',
  });
}
