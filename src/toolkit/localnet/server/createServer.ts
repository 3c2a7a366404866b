import cors from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fastify from 'fastify';
import { silentLog } from '../../log';
import type { Log } from '../../log';
import type { Clock } from '../../time';
import { systemClock } from '../../time';
import { nextTurn } from '../../turns';
import { visibleText } from '../../text';
import type { LocalChain } from '../chain/localChain';
import { chainStatus } from '../control/chainStatus';
import type { ControlContext } from '../control/controlCommand';
import { injectFaults, RateWindow } from '../faults/injectFaults';
import { noFaults } from '../faults/faults';
import type { Faults } from '../faults/faults';
import { RequestLog } from '../control/requestLog';
import { TokenIndex } from '../tokens/tokenIndex';
import { ActionIndex } from '../v3/actionIndex';
import { EventIndex } from '../v3/eventIndex';
import { answerBrokenRequest, headerLimit } from './answerBrokenRequest';
import { foreignPage } from '../../foreignPage';
import { hasOneHost } from '../../hasOneHost';
import { LocalDomains } from '../dns/localDomains';
import { mountControl } from './mountControl';
import { mountEmulate } from './mountEmulate';
import { mountHome } from './mountHome';
import { mountStreaming } from './mountStreaming';
import { mountV2 } from './mountV2';
import { v2Service } from '../v2/v2Service';
import { mountV3 } from './mountV3';
import { limits } from '../../limits';

/** Maximum rejected pages named in the log. */
const mostTold = 20;

/** Bytes. Far above the largest message that the network accepts. */
const bodyLimit = 8 * 1024 * 1024;

export interface ServerOptions {
  /** Larger traces are returned without their transactions; default 4000, as on the service. */
  maximumTraceTransactions?: number | undefined;
  clock?: Clock | undefined;
  random?: (() => number) | undefined;
  /** Other sites' web pages that may use a fork; see foreignPage.ts. */
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
  // Clients send JSON with all kinds of content types, or none.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
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
  const control: ControlContext = {
    chain,
    domains: new LocalDomains(chain, (account) => tokens.methodsOf(account)),
    status: () => chainStatus(chain, control.faults),
    faults: noFaults,
    onFaults: (faults) => options.onFaults?.(faults),
    requests: new RequestLog(),
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
    mountStreaming(scope, context, clock, options.log ?? silentLog);
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
