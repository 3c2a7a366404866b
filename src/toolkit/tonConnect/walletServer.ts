import cors from '@fastify/cors';
import fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServerResponse } from 'node:http';
import { WorkbenchError } from '../base/errors';
import { isLoopbackHost } from '../base/loopback';
import { guardLoopback, listenOnLoopback, loopbackPort } from '../base/loopbackServer';
import { limits } from '../base/limits';
import type { Clock } from '../base/time';
import { every } from '../base/time';
import { Acknowledgments } from './acknowledgments';
import type { Bridge, BridgeEvent } from './bridge';
import { onlyOpens, parseConnectLink, readConnectRequest } from './connectLink';
import { deviceInfo, injectedScript, walletsListEntry } from './injectedScript';
import { RefusedRequest, protocolCodes } from './protocol';
import type { Intake, TestWallet } from './testWallet';
import { connectPage, homePage, walletIcon } from './walletPages';

/** Milliseconds between heartbeats. */
const heartbeatEvery = 5_000;

/** Bytes that a client may leave unread before its stream is cut; it reconnects and gets what it has missed. */
const mostUnread = 1024 * 1024;

export interface WalletServerOptions {
  wallet: TestWallet;
  version: string;
  clock: Clock;
  /** 0 picks a free one. */
  port: number;
}

/** A wallet's HTTP server: the bridge, the link, the list, and the script. */
export interface WalletServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Binds 127.0.0.1 and answers every web page, but only under a name of this machine.
 * @throws WorkbenchError `port-in-use`, `port-not-allowed`, `listen-failed` (input)
 */
export async function startWalletServer(options: WalletServerOptions): Promise<WalletServer> {
  const { clock, port } = options;
  const streams = new Set<ServerResponse>();
  const acknowledgments = new Acknowledgments(clock);
  const server = fastify({
    logger: false,
    bodyLimit: limits.walletMessage.most,
    // A connect link has its request in the URL.
    http: { maxHeaderSize: 2 * limits.walletMessage.most },
    forceCloseConnections: true,
  });
  guardLoopback(server, {
    foreign: ({ headers: { host } }) => {
      const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
      return isLoopbackHost(name) ? undefined : 'This wallet only answers on this machine.';
    },
    refuse: say,
    unknown: ({ url }) => `This wallet has nothing at ${url.slice(0, 100)}.`,
  });
  server.setErrorHandler((error, _request, reply) => {
    const { statusCode = statusOf(error), message = String(error) } = error as {
      statusCode?: number;
      message?: string;
    };
    return say(
      reply,
      statusCode,
      statusCode === 413 ? `more than ${limits.walletMessage.most} bytes` : message,
    );
  });
  await server.register(cors, { origin: '*' });
  const { wallet } = options;
  mountBridge(server, wallet.bridge, {
    ...{ streams, acknowledgments },
    receive: ({ from, to, message }) => wallet.receive(from, to, message),
  });
  mountInjected(server, options, { acknowledgments, port: () => loopbackPort(server) });
  mountPages(server, options, () => loopbackPort(server));
  const bound = await listenOnLoopback(server, port);
  const stopBeating = every(clock, heartbeatEvery, () =>
    streams.forEach((stream) => stream.write('event: message\ndata: heartbeat\n\n')),
  );
  return {
    port: bound,
    close: async () => {
      stopBeating();
      streams.forEach((stream) => stream.destroy());
      await server.close();
    },
  };
}

function statusOf(error: unknown): number {
  if (error instanceof RefusedRequest) {
    return 400;
  }
  return WorkbenchError.is(error, 'wallet-full') ? 429 : 500;
}

/** What serves a bridge. */
export interface BridgeRoutes {
  /** All that are open: the server's to end. */
  streams: Set<ServerResponse>;
  acknowledgments: Acknowledgments;
  /** Takes a message, which may live for some seconds. */
  receive: (message: Pick<BridgeEvent, 'from' | 'to' | 'message'>, ttl?: number) => Intake;
}

/** The routes of a bridge: `/bridge/events` gives its events, `/bridge/message` takes messages. */
export function mountBridge(
  server: FastifyInstance,
  bridge: Bridge,
  { streams, acknowledgments, receive }: BridgeRoutes,
): void {
  server.get('/bridge/events', (request, reply) => {
    const { client_id: clientId = '', last_event_id: after } = textsOf(request);
    const clients = clientId.split(',');
    // A browser that reconnects by itself repeats the address, and adds a header with the newer id.
    const last = [after ?? '', headerOf(request, 'last-event-id') ?? ''];
    if (!clients.every(isClientId) || clients.length > 10 || !last.every((one) => /^\d{0,16}$/.test(one))) {
      return say(reply, 400, 'client_id is 64 hex digits, and last_event_id a number.');
    }
    if (streams.size >= limits.walletStreams.most) {
      return say(reply, 503, `This wallet has ${limits.walletStreams.most} event streams.`);
    }
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
    });
    raw.socket?.setNoDelay(true);
    raw.write(': connected\n\n');
    streams.add(raw);
    const end = bridge.listen(clients, Math.max(...last.map(Number)), (event) => {
      acknowledgments.deliver(event.to, () => {
        raw.write(frameOf(event));
        if (raw.writableLength > mostUnread) {
          raw.destroy();
        }
      });
    });
    raw
      .on('error', () => undefined)
      .once('close', () => {
        streams.delete(raw);
        end();
      });
    return reply;
  });
  server.post('/bridge/message', (request, reply) => {
    const { client_id: from = '', to = '', ttl } = textsOf(request);
    if (!isClientId(from) || !isClientId(to)) {
      return say(reply, 400, 'client_id and to are 64 hex digits.');
    }
    if (ttl !== undefined && !(Number(ttl) >= 0 && Number(ttl) <= limits.walletLifetime.most)) {
      return say(reply, 400, `ttl is at most ${limits.walletLifetime.most} seconds.`);
    }
    reply.raw.once('close', acknowledgments.begin(from));
    return answer(
      reply,
      receive({ from, to, message: bodyOf(request) }, ttl === undefined ? undefined : Number(ttl)),
    );
  });
}

function mountInjected(
  server: FastifyInstance,
  { wallet, version, clock }: WalletServerOptions,
  { acknowledgments, port }: { acknowledgments: Acknowledgments; port: () => number },
): void {
  server.get('/inject.js', (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(
        injectedScript({
          origin: `http://127.0.0.1:${port()}`,
          device: deviceInfo(wallet.features, version),
          wallet: walletsListEntry(port(), wallet.features),
        }),
      ),
  );
  server.post('/injected/connect', async (request, reply) => {
    const { client, request: asked } = jsonOf(request);
    if (!isClientId(client)) {
      return say(reply, 400, 'client is not 64 hex digits.');
    }
    await wallet.connect({ app: client, request: readConnectRequest(asked) }, 'injected');
    return say(reply, 200, 'OK');
  });
  server.post('/injected/restore', (request, reply) => {
    const { client } = jsonOf(request);
    const event = isClientId(client) ? wallet.restore(client) : undefined;
    const error = { code: protocolCodes.unknownApp, message: 'The page is not connected.' };
    return reply.send(event ?? { event: 'connect_error', id: clock.now(), payload: error });
  });
  server.post('/injected/message', (request, reply) => {
    const { client = '' } = textsOf(request);
    reply.raw.once('close', acknowledgments.begin(client));
    return answer(reply, wallet.receive(client, sessionOf(wallet, client)?.id ?? '', bodyOf(request)));
  });
  server.post('/injected/disconnect', (request, reply) => {
    const { client } = jsonOf(request);
    const session = isClientId(client) ? sessionOf(wallet, client) : undefined;
    if (session !== undefined) {
      wallet.leave(session.id);
    }
    return say(reply, 200, 'OK');
  });
}

function mountPages(server: FastifyInstance, { wallet }: WalletServerOptions, port: () => number): void {
  server.get('/connect', async (request, reply) => {
    reply.type('text/html; charset=utf-8');
    const link = `http://127.0.0.1:${port()}${request.url}`;
    if (URL.canParse(link) && onlyOpens(new URL(link))) {
      return reply.send(connectPage('The test wallet is open. Decide its requests where it was started.'));
    }
    try {
      const { id } = await wallet.connect(parseConnectLink(link));
      const isPending = wallet.pending.some(({ session }) => session === id);
      const next = isPending ? 'decide it where the wallet was started' : 'it is decided, as you asked for';
      return await reply.send(connectPage(`The test wallet has the request: ${next}.`));
    } catch (error) {
      if (!WorkbenchError.is(error)) {
        throw error;
      }
      return reply.code(400).send(connectPage(error.message));
    }
  });
  server.get('/wallets.json', (_request, reply) => reply.send([walletsListEntry(port(), wallet.features)]));
  server.get('/icon.svg', (_request, reply) =>
    reply.type('image/svg+xml').header('cross-origin-resource-policy', 'cross-origin').send(walletIcon),
  );
  server.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(homePage(wallet.account)));
}

function answer(reply: FastifyReply, intake: Intake): FastifyReply {
  switch (intake) {
    case 'taken':
      return say(reply, 200, 'OK');
    case 'unknown-session':
      return say(reply, 404, 'This wallet does not know the session: connect again.');
    case 'not-readable':
      return say(reply, 400, 'The message is not a request encrypted for this session.');
    case 'full':
      return say(reply, 429, `More than ${limits.walletQueue.most} messages are waiting.`);
  }
}

function say(reply: FastifyReply, statusCode: number, message: string): FastifyReply {
  return reply.code(statusCode).send({ statusCode, message });
}

function sessionOf(wallet: TestWallet, client: string): { id: string } | undefined {
  return wallet.sessions.find(({ app, kind }) => app === client && kind === 'injected');
}

function isClientId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

/** Parameters that are given once. */
function textsOf({ query }: FastifyRequest): Partial<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(query as Record<string, unknown>).filter(([, value]) => typeof value === 'string'),
  ) as Partial<Record<string, string>>;
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

function bodyOf({ body }: FastifyRequest): string {
  return typeof body === 'string' ? body : '';
}

function jsonOf(request: FastifyRequest): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bodyOf(request));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    throw new RefusedRequest(protocolCodes.badRequest, 'The body is not JSON.');
  }
}

function frameOf({ id, from, message }: BridgeEvent): string {
  return `id: ${id}\nevent: message\ndata: ${JSON.stringify({ from, message })}\n\n`;
}
