import type { FastifyInstance, FastifyReply } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import { limits } from '../../base/limits';
import { foreignPage, hasOneHost } from '../../base/loopback';
import type { Clock } from '../../base/time';
import { every } from '../../base/time';
import { ApiError, statusOfError } from '../api/apiError';
import type { StreamHub } from '../streaming/streamHub';
import type { Subscription } from '../streaming/subscription';
import { noSubscription, readSubscription, withoutTargets } from '../streaming/subscription';
import { parseBody } from './stringifyInTurns';

const prefix = '/api/streaming/v2';
/** Between two signs of life, in milliseconds. */
const keepAliveMs = 15_000;
/** For a client that was too slow to read what is left, and why its stream ends. */
const farewellMs = 5_000;
/** WebSocket's code for an end that the server wants: try again later. */
const tryAgainLater = 1013;

/** Why a client that does not read is disconnected: so that it costs no memory. */
const tooSlow = `the client reads too slowly: more than ${limits.unreadStream.most} bytes are unread`;

interface StreamingOptions {
  hub: StreamHub;
  clock: Clock;
  /** Whether pages of other sites are refused, except these. */
  allowedOrigins: readonly string[] | undefined;
}

/** Streaming v2: what happens to subscribed accounts and traces, over server-sent events and WebSocket. */
export function mountStreaming(
  server: FastifyInstance,
  { hub, clock, allowedOrigins }: StreamingOptions,
): void {
  const stop = hub.watch();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: limits.streamSubscription.most,
    perMessageDeflate: false,
    clientTracking: true,
  });
  server.addHook('preClose', (done) => {
    stop();
    sockets.clients.forEach((socket) => socket.terminate());
    done();
  });
  server.post(`${prefix}/sse`, (request, reply) => {
    try {
      const text = typeof request.body === 'string' ? request.body : '';
      if (text.length > limits.streamSubscription.most) {
        const most = limits.streamSubscription.most;
        throw new ApiError(400, `invalid subscription request: larger than ${most} bytes`);
      }
      const body = parseBody(request.body);
      if (body === null) {
        throw new ApiError(400, 'invalid subscription request: not a JSON object');
      }
      const subscription = readSubscription(body, 'sse');
      checkRoom(hub);
      if (reply.raw.destroyed) {
        // The client is gone already: its end would never be heard.
        reply.hijack();
        return reply;
      }
      const stream = openStream(reply, clock);
      stream.frame('connected', JSON.stringify({ ...idOf(body), status: 'subscribed' }));
      const send = (event: string): void => stream.frame('event', event);
      stream.onEnd(hub.add({ send, end: stream.end }, subscription));
    } catch (error) {
      refuse(reply, error);
    }
    return reply;
  });
  // Whoever gets here has asked for no WebSocket, or may not have one.
  server.get(`${prefix}/ws`, (_request, reply) => {
    const isFull = hub.size >= limits.streams.most;
    refuse(
      reply,
      isFull ? fullError() : new ApiError(426, 'this endpoint speaks WebSocket: ask for an upgrade'),
    );
    return reply;
  });
  server.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const isForeign =
      !hasOneHost(request.rawHeaders) ||
      (allowedOrigins !== undefined && foreignPage(request.headers, allowedOrigins) !== undefined);
    const isMeant =
      request.method === 'GET' &&
      /^\/api\/streaming\/v2\/ws\/?(?:\?|$)/.test(request.url ?? '') &&
      /^websocket$/i.test(request.headers.upgrade ?? '');
    if (!isMeant || isForeign || hub.size >= limits.streams.most) {
      answerWithoutUpgrade(server, request, socket, head);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (connection) => talk(connection, hub, clock));
  });
}

/**
 * Some clients offer other protocols (h2c) with every request, and a server may ignore that: the request is read
 * again as an ordinary one, by the same rules as all others.
 */
function answerWithoutUpgrade(
  server: FastifyInstance,
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!/^(?:upgrade|http2-settings|connection)$/i.test(name)) {
      lines.push(`${name}: ${rawHeaders[at + 1]}`);
    }
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.server.emit('connection', socket);
}

/** One WebSocket client: its requests are answered, never with an end. */
function talk(connection: WebSocket, hub: StreamHub, clock: Clock): void {
  let isEnding = false;
  const send = (text: string): void => {
    if (isEnding || connection.readyState !== connection.OPEN) {
      return;
    }
    connection.send(text);
    if (connection.bufferedAmount > limits.unreadStream.most) {
      end(tooSlow);
    }
  };
  const end = (why: string): void => {
    if (!isEnding) {
      isEnding = true;
      connection.send(JSON.stringify({ error: why }));
      connection.close(tryAgainLater, why);
      clock.after(farewellMs, () => connection.terminate(), false);
    }
  };
  const client = { send, end };
  let subscription = noSubscription;
  const remove = hub.add(client, subscription);
  const subscribe = (wanted: Subscription): void => {
    subscription = wanted;
    hub.subscribe(client, wanted);
  };
  let isAlive = true;
  const life = every(clock, keepAliveMs, () => {
    // A peer that is gone without a word answers no ping.
    if (!isAlive) {
      connection.terminate();
      return;
    }
    isAlive = false;
    connection.ping();
  });
  connection
    .on('pong', () => (isAlive = true))
    .on('message', (data) => {
      isAlive = true;
      send(JSON.stringify(answer((data as Buffer).toString('utf8'), subscription, subscribe)));
    })
    .on('error', () => undefined)
    .once('close', () => {
      life();
      remove();
    });
}

/** @param earlier what the client subscribed to so far */
function answer(text: string, earlier: Subscription, subscribe: (wanted: Subscription) => void): object {
  const body = text === '' ? null : parseBody(text);
  if (body === null) {
    return { error: 'invalid request envelope: not a JSON object' };
  }
  const id = idOf(body);
  try {
    switch (body.operation) {
      case 'ping':
        return { ...id, status: 'pong' };
      case 'subscribe':
        subscribe(readSubscription(body, 'ws', earlier));
        return { ...id, status: 'subscribed' };
      case 'unsubscribe':
        subscribe(withoutTargets(earlier, body));
        return { ...id, status: 'unsubscribed' };
      default:
        return { ...id, error: `unknown operation: ${textOf(body.operation)}` };
    }
  } catch (error) {
    return { ...id, error: error instanceof Error ? error.message : String(error) };
  }
}

function textOf(operation: unknown): string {
  return typeof operation === 'string' ? operation.slice(0, 100) : '';
}

function idOf({ id }: Readonly<Record<string, unknown>>): { id?: string } {
  return typeof id === 'string' ? { id } : {};
}

function checkRoom(hub: StreamHub): void {
  if (hub.size >= limits.streams.most) {
    throw fullError();
  }
}

function fullError(): ApiError {
  return new ApiError(429, `connection limit reached: ${limits.streams.most} active connections`);
}

function refuse(reply: FastifyReply, error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  void reply
    .code(statusOfError(error))
    .type('application/json')
    .send(JSON.stringify({ error: text }));
}

/** The answer as a stream of frames. */
function openStream(
  reply: FastifyReply,
  clock: Clock,
): {
  frame: (name: string, data: string) => void;
  end: (why: string) => void;
  onEnd: (work: () => void) => void;
} {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
  });
  raw.socket?.setNoDelay(true);
  let isEnding = false;
  const write = (text: string): void => {
    if (isEnding || raw.destroyed) {
      return;
    }
    raw.write(text);
    if (raw.writableLength > limits.unreadStream.most) {
      end(tooSlow);
    }
  };
  const frame = (name: string, data: string): void => write(`event: ${name}\ndata: ${data}\n\n`);
  const end = (why: string): void => {
    if (!isEnding) {
      isEnding = true;
      raw.end(`event: error\ndata: ${JSON.stringify({ error: why })}\n\n`);
      clock.after(farewellMs, () => raw.destroy(), false);
    }
  };
  const life = every(clock, keepAliveMs, () => write(': keepalive\n\n'));
  raw.on('error', () => undefined).once('close', life);
  return { frame, end, onEnd: (work) => raw.once('close', work) };
}
