import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** One request as it arrived. */
interface SeenRequest {
  fault: string;
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  at: number;
}

/** A server on the loopback that fails in the way the first part of the path names: `http://…/<fault>/api/v3/…`. */
export interface FaultServer {
  origin: string;
  seen: SeenRequest[];
  close(): Promise<void>;
}

type Play = (response: ServerResponse, request: IncomingMessage, count: number) => void;

/** A v2 answer that says yes. */
export const goodAnswer = { ok: true, result: 'active', '@extra': '1:0:0.1' };
const good = JSON.stringify(goodAnswer);

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Play =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

const html =
  (status: number, title: string): Play =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/html' });
    response.end(`<html>\r\n<head><title>${title}</title></head>\r\n<body><h1>${title}</h1></body></html>`);
  };

const v2Error = (code: number, error: string): object => ({ ok: false, error, code, '@extra': '_' });

/** 100 MiB, 64 KiB at a time, as fast as it is read. */
const hundredMiB: Play = (response) => {
  const chunk = Buffer.alloc(64 * 1024, '"');
  let left = 1600;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left--;
      if (!response.write(chunk)) {
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  more();
};

/** `play` the first `times` times, then the good answer. */
const first =
  (times: number, play: Play): Play =>
  (response, request, count) =>
    (count <= times ? play : json(200, good))(response, request, count);

const plays: Readonly<Record<string, Play>> = {
  good: json(200, good, { 'x-api-version': '2.1.11' }),
  'good-python': json(200, good, { 'x-api-version': 'v2.0.63' }),
  'reset-before-head': (response) => response.socket?.resetAndDestroy(),
  'reset-in-body': (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"ok":', () => setTimeout(() => response.socket?.resetAndDestroy(), 20));
  },
  'end-in-body': (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"ok":', () => response.socket?.end());
  },
  'end-in-chunks': (response) => {
    response.writeHead(200);
    response.write('{"ok":', () => response.socket?.end());
  },
  'stall-before-head': () => undefined,
  'stall-in-body': (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"ok":');
  },
  '429-result': json(429, { ok: false, result: 'Ratelimit exceed', code: 429 }),
  '429-error': json(429, { ok: false, code: 429, error: 'Ratelimit exceeded' }),
  '429-retry-after': json(429, v2Error(429, 'Ratelimit exceeded'), { 'retry-after': '3600' }),
  '429-once': first(1, json(429, v2Error(429, 'Ratelimit exceeded'), { 'retry-after': '1' })),
  '401': json(401, v2Error(401, 'API key does not exist')),
  '401-required': json(401, { error: 'address is required' }),
  '403': json(403, v2Error(403, 'Network not allowed')),
  '404': json(404, v2Error(404, 'transaction was not found')),
  '409': json(409, { error: 'not a wallet' }),
  '422': json(422, { error: 'failed to decode: schema: error converting value for index 7 of "address"' }),
  '500-limit': json(500, { error: 'limit is not allowed: 5000 > 1000' }),
  '500-route': json(500, { error: 'internal server error: Cannot GET /api/v3/nope' }),
  '500-json': json(500, v2Error(500, 'something broke')),
  '500-timeout': json(500, { error: 'timeout: context deadline exceeded' }),
  '500-timeout-twice': first(2, json(500, { error: 'timeout: context deadline exceeded' })),
  '500-html': html(500, '500 Internal Server Error'),
  '502-html': html(502, '502 Bad Gateway'),
  '503-json': json(503, v2Error(503, 'Expecting value: line 1 column 1 (char 0)')),
  '504-json': json(504, v2Error(504, 'LITE_SERVER_NETWORK timeout')),
  '504-thrice': first(3, json(504, v2Error(504, 'LITE_SERVER_NETWORK timeout'))),
  '200-ok-false': json(200, v2Error(500, 'LITE_SERVER_UNKNOWN: something')),
  '200-ok-false-429': json(200, v2Error(429, 'Ratelimit exceeded')),
  'html-200': html(200, 'Welcome'),
  'bad-utf8': (response) => response.end(Buffer.from([0x22, 0xc3, 0x28, 0x22])),
  'cut-json': json(200, good.slice(0, 20)),
  'cut-in-string': json(200, good.slice(0, 25)),
  empty: json(200, ''),
  'no-ok': json(200, { result: 'active' }),
  'wrong-type': json(200, { ok: true, result: 7 }),
  '100-mib': hundredMiB,
  '100-mib-announced': (response, request, count) => {
    response.writeHead(200, { 'content-length': String(100 * 1024 * 1024) });
    hundredMiB(response, request, count);
  },
  'gzip-bomb': (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end(gzipSync(Buffer.alloc(8 * 1024 * 1024, '"')));
  },
  'redirect-same': (response, request) => {
    response.writeHead(307, { location: (request.url ?? '').replace('redirect-same', 'good') });
    response.end();
  },
  'redirect-loop': (response, request) => {
    response.writeHead(302, { location: request.url });
    response.end();
  },
  'redirect-nowhere': (response) => {
    response.writeHead(302);
    response.end();
  },
};

/** Starts the server. `redirect-away` goes to `elsewhere`, an origin of the caller's. */
export async function startFaultServer(elsewhere = 'http://127.0.0.1:9'): Promise<FaultServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const fault = (request.url ?? '').split('/')[1] ?? '';
    seen.push({
      fault,
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      at: performance.now(),
    });
    request.resume();
    const count = seen.filter((one) => one.fault === fault).length;
    if (fault === 'redirect-away') {
      response.writeHead(302, { location: `${elsewhere}/good/api/v2/getAddressState?secret=1` });
      response.end();
      return;
    }
    const play = plays[fault] ?? json(404, v2Error(404, 'no such fault'));
    play(response, request, count);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
