import cors from '@fastify/cors';
import { Address, fromNano } from '@ton/core';
import fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { foreignPage, hasOneHost } from '../../base/loopback';
import { readBodiesAsText } from '../../base/loopbackServer';
import { limits } from '../../base/limits';
import type { Log } from '../../base/log';
import { silentLog } from '../../base/log';
import { escapeHtml, visibleText } from '../../base/text';
import type { Clock } from '../../base/time';
import { systemClock } from '../../base/time';
import { nextTurn } from '../../base/turns';
import type { LocalChain } from '../chain/localChain';
import type { ControlContext } from '../control/controlParameters';
import { chainStatus } from '../control/localnetStatus';
import { RequestLog } from '../control/requestLog';
import { LocalDomains } from '../dns/localDomains';
import type { Faults } from '../faults/faults';
import { RateWindow, injectFaults, noFaults } from '../faults/faults';
import { StreamHub } from '../streaming/streamHub';
import { TokenIndex } from '../tokens/tokenIndex';
import { v2Service } from '../v2/v2Service';
import { ActionIndex } from '../v3/actionIndex';
import { EventIndex } from '../v3/v3Context';
import { mountControl } from './mountControl';
import { mountEmulate } from './mountEmulate';
import { mountStreaming } from './mountStreaming';
import { mountV2 } from './mountV2';
import { mountV3 } from './mountV3';

const policy = "default-src 'none'; style-src 'unsafe-inline'";

/** The page for browsers: what the network is, its APIs, and its wallets. */
function mountHome(server: FastifyInstance, chain: LocalChain): void {
  for (const path of ['/', '/api/v2', '/api/v3']) {
    server.get(path, async (request, reply) => home(chain, path, request, reply));
  }
}

function home(chain: LocalChain, path: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (/\btext\/html\b/.test(request.headers.accept ?? '')) {
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('x-content-type-options', 'nosniff')
      .send(page(chain));
  }
  reply.type('application/json');
  switch (path) {
    case '/api/v2':
      return reply.code(404).send(JSON.stringify({ ok: false, error: 'Not Found', code: 404 }));
    case '/api/v3':
      return reply
        .code(500)
        .send(JSON.stringify({ error: `internal server error: Cannot GET ${request.url.split('?', 1)[0]}` }));
    default:
      return reply.send(JSON.stringify({ v2: '/api/v2', v3: '/api/v3', control: '/control/status' }));
  }
}

function page(chain: LocalChain): string {
  const { ledger, fork, genesis } = chain;
  const what =
    fork === undefined
      ? 'A local TON network'
      : `A fork of ${fork.point.network} at block ${fork.point.seqno}`;
  const accounts = genesis.accounts.map(({ name, kind, address }) => {
    const balance = ledger.accounts.get(address)?.facts.balance;
    const friendly = Address.parseRaw(address).toString({ bounceable: false });
    const states = `/api/v3/accountStates?address=${encodeURIComponent(friendly)}`;
    return row(
      name,
      kind,
      link(states, friendly),
      balance === undefined ? '' : escapeHtml(fromNano(balance)),
    );
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>TON Workbench: local network</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse}td,th{padding:.15rem .8rem .15rem 0;text-align:left}code,td{font-family:ui-monospace,monospace;font-size:13px}</style></head><body>
<h1>${escapeHtml(what)}</h1>
<p>Block ${ledger.last.seqno}, ${ledger.transactions.length} transactions. Run by TON Workbench on this machine; its coins are worth nothing.</p>
<h2>APIs</h2>
<ul>
<li><code>/api/v2</code>, JSON-RPC at <code>/api/v2/jsonRPC</code>: ${link('/api/v2/getMasterchainInfo')}</li>
<li><code>/api/v3</code>: ${link('/api/v3/masterchainInfo')}, ${link('/api/v3/transactions?limit=10&sort=desc')}, ${link('/api/v3/traces?limit=5&include_actions=true')}</li>
<li><code>/api/streaming/v2</code>: POST sse, WebSocket ws</li>
<li><code>/api/emulate/v1</code>: POST emulateTrace, emulateTonConnect</li>
<li><code>/control</code>, for programs on this machine: <code>curl</code> this address with <code>/control/status</code>, and control/accounts for the wallets' mnemonics</li>
</ul>
<h2>Wallets</h2>
<table><tr><th>name</th><th>kind</th><th>address</th><th>balance</th></tr>
${accounts.join('\n')}
</table></body></html>
`;
}

function row(name: string, kind: string, address: string, balance: string): string {
  return `<tr><td>${escapeHtml(name)}</td><td>${escapeHtml(kind)}</td><td>${address}</td><td>${balance}</td></tr>`;
}

function link(path: string, text = path): string {
  return `<a href="${escapeHtml(path)}">${escapeHtml(text)}</a>`;
}

/** Maximum rejected pages named in the log. */
const mostTold = 20;

/** Bytes. Far above the largest message that the network accepts. */
const bodyLimit = 8 * 1024 * 1024;

export interface ServerOptions {
  /** Larger traces are returned without their transactions; default 4000, as on the service. */
  maximumTraceTransactions?: number | undefined;
  clock?: Clock | undefined;
  random?: (() => number) | undefined;
  /** Other sites' web pages that may use a fork; see loopback.ts. */
  allowedOrigins?: readonly string[] | undefined;
  log?: Log | undefined;
  /** Serves v2 as the Python service did, not as the C++ one does. */
  isClassicV2?: boolean | undefined;
  /** Called when the faults that it injects have changed. */
  onFaults?: ((faults: Faults) => void) | undefined;
}

/** The HTTP server for a chain; not yet listening. */
export async function createServer(chain: LocalChain, options: ServerOptions = {}): Promise<FastifyInstance> {
  const {
    maximumTraceTransactions = limits.traceTransactions.most,
    clock = systemClock,
    random = Math.random,
  } = options;
  const server = fastify({
    logger: false,
    bodyLimit,
    http: { maxHeaderSize: headerLimit },
    clientErrorHandler: answerBrokenRequest,
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
  });
  // However many requests arrive at once, only one is processed per turn of the event loop.
  server.addHook('onRequest', () => nextTurn());
  readBodiesAsText(server);
  const tokens = new TokenIndex(chain);
  const actions = new ActionIndex(chain, tokens);
  const stop = actions.keepUp();
  server.addHook('onClose', (_server, done) => {
    stop();
    done();
  });
  const context = {
    chain,
    tokens,
    actions,
    events: new EventIndex(chain),
    maximumTraceTransactions,
    get ledger() {
      return chain.ledger;
    },
  };
  const streams = new StreamHub(context, options.log ?? silentLog);
  const control: ControlContext = {
    chain,
    tokens,
    domains: new LocalDomains(chain, (account) => tokens.methodsOf(account)),
    status: () => chainStatus(chain, control.faults),
    faults: noFaults,
    onFaults: (faults) => options.onFaults?.(faults),
    requests: new RequestLog(),
    streams,
    replay: async ({ method, path, body }) => {
      const payload = body === '' ? {} : { payload: body };
      const answer = await server.inject({ method: method as 'GET', url: path, ...payload });
      return { status: answer.statusCode, body: answer.body };
    },
  };
  await server.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => refuse(error, request, reply));
    keepPagesOffForks(scope, chain, options);
    await scope.register(cors, { origin: '*', exposedHeaders: '*' });
    mountFaults(scope, control, clock, random);
    mountV2(scope, chain, tokens, v2Service(options.isClassicV2 ?? false));
    mountV3(scope, context);
    mountEmulate(scope, context);
    const allowedOrigins = chain.fork === undefined ? undefined : (options.allowedOrigins ?? []);
    mountStreaming(scope, { hub: streams, clock, allowedOrigins });
    mountHome(scope, chain);
  });
  await server.register((scope, _options, done) => {
    mountControl(scope, control);
    done();
  });
  return server;
}

/**
 * A fork reads another network with the user's key and rate limit, so pages of other sites are rejected unless
 * allowed. Any other local network serves every page: it has nothing to lose.
 */
function keepPagesOffForks(
  scope: FastifyInstance,
  chain: LocalChain,
  { allowedOrigins = [], log = silentLog }: ServerOptions,
): void {
  const told = new Set<string>();
  scope.addHook('onRequest', async (request, reply) => {
    if (!hasOneHost(request.raw.rawHeaders)) {
      const error = Object.assign(new Error('more than one Host header'), { statusCode: 400 });
      return refuse(error, request, reply);
    }
    const page = chain.fork === undefined ? undefined : foreignPage(request.headers, allowedOrigins);
    if (page === undefined) {
      return undefined;
    }
    if (!told.has(page) && told.size < mostTold) {
      told.add(page);
      log.warn(`Refused a web page of ${visibleText(page, 200)}: a fork only answers pages on this machine.`);
    }
    const error = Object.assign(
      new Error('a fork only answers web pages on this machine, unless their origin is allowed'),
      { statusCode: 403 },
    );
    return refuse(error, request, reply);
  });
}

/** Errors of the HTTP layer itself (body too large, malformed), in each API's own format. */
function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { statusCode = 500, message = String(error) } = error as { statusCode?: number; message?: string };
  const text = statusCode === 413 ? `the body is larger than ${bodyLimit} bytes` : message;
  const isV3 = request.url.startsWith('/api/v3');
  return reply
    .code(statusCode)
    .type('application/json')
    .send(JSON.stringify({ ...(isV3 ? {} : { ok: false }), error: text, code: statusCode }));
}

/** Maximum characters kept of a client's name. */
const longestClient = 100;

function mountFaults(
  scope: FastifyInstance,
  control: ControlContext,
  clock: Clock,
  random: () => number,
): void {
  const window = new RateWindow();
  scope.addHook('preHandler', async (request, reply) => {
    if (control.faults !== noFaults) {
      const answered = await injectFaults(control.faults, window, clock, random, request, reply);
      return answered ? reply : undefined;
    }
    return undefined;
  });
  scope.addHook('onResponse', (request, reply, done) => {
    const client = request.headers['user-agent'];
    control.requests.add({
      time: clock.now(),
      method: request.method,
      path: request.url,
      status: reply.statusCode,
      duration: reply.elapsedTime,
      body: typeof request.body === 'string' ? request.body : '',
      ...(client === undefined ? {} : { client: client.slice(0, longestClient) }),
    });
    done();
  });
}

/**
 * Maximum bytes of a request's line and headers, like the service's. A list of 1,024 addresses fits many times over.
 */
const headerLimit = 1024 * 1024;

/** Milliseconds for a client to read the answer and close the connection. */
const patience = 2_000;

const refusals: Readonly<Record<string, readonly [status: number, text: string]>> = {
  HPE_HEADER_OVERFLOW: [431, `the URL and the headers are larger than ${headerLimit} bytes`],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time'],
};

const answered = new WeakSet<Socket>();

/**
 * Answers a request that the HTTP parser rejected. The connection cannot be reused, and the answer says so: the
 * client opens a new one for its next request. The rest is still read, because closing with unread bytes would reset
 * the connection and lose the answer.
 */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || answered.has(socket)) {
    return;
  }
  answered.add(socket);
  const [status, text] = refusals[error.code ?? ''] ?? [400, 'this is not an HTTP request'];
  const body = JSON.stringify({ ok: false, error: text, code: status });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const cancel = systemClock.after(patience, () => socket.destroy(), false);
  socket.once('end', () => socket.destroy()).once('close', cancel);
}
