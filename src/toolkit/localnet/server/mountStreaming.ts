import type { FastifyInstance, FastifyReply } from 'fastify';
import { limits } from '../../base/limits';
import type { Log } from '../../base/log';
import type { Clock } from '../../base/time';
import { ApiError, statusOfError } from '../api/apiError';
import { StreamHub, readSubscription } from '../streaming/streamHub';
import type { V3Context } from '../v3/v3Context';
import { parseBody } from './stringifyInTurns';

const prefix = '/api/streaming/v2';
/** Between two signs of life, in milliseconds. */
const keepAliveMs = 15_000;

/** Streaming v2 over server-sent events: what happens to subscribed accounts and traces, as blocks are made. */
export function mountStreaming(server: FastifyInstance, context: V3Context, clock: Clock, log: Log): void {
  const hub = new StreamHub(context, log);
  const stop = hub.watch();
  server.addHook('onClose', (_server, done) => {
    stop();
    done();
  });
  server.post(`${prefix}/sse`, (request, reply) => {
    try {
      const text = typeof request.body === 'string' ? request.body : '';
      if (text.length > limits.streamSubscription.most) {
        throw new ApiError(
          400,
          `invalid subscription request: larger than ${limits.streamSubscription.most} bytes`,
        );
      }
      const body = parseBody(request.body);
      if (body === null) {
        throw new ApiError(400, 'invalid subscription request: not a JSON object');
      }
      const subscription = readSubscription(body);
      if (hub.size >= limits.streams.most) {
        throw new ApiError(429, `connection limit reached: ${limits.streams.most} active connections`);
      }
      const id = typeof body.id === 'string' ? { id: body.id } : {};
      const stream = openStream(reply, clock);
      stream.event('connected', JSON.stringify({ ...id, status: 'subscribed' }));
      stream.onEnd(hub.add({ subscription, send: (event) => stream.event('event', event), end: stream.end }));
    } catch (error) {
      refuse(reply, error);
    }
    return reply;
  });
  server.get(`${prefix}/ws`, (_request, reply) => {
    refuse(reply, new ApiError(501, `the local network streams over ${prefix}/sse only`));
    return reply;
  });
}

function refuse(reply: FastifyReply, error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  void reply
    .code(statusOfError(error))
    .type('application/json')
    .send(JSON.stringify({ error: text }));
}

/** The answer as a stream of frames. A client that does not read is disconnected, so that it costs no memory. */
function openStream(
  reply: FastifyReply,
  clock: Clock,
): { event: (name: string, data: string) => void; end: () => void; onEnd: (work: () => void) => void } {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
  });
  raw.socket?.setNoDelay(true);
  const write = (frame: string): void => {
    if (raw.destroyed) {
      return;
    }
    raw.write(frame);
    if (raw.writableLength > limits.unreadStream.most) {
      raw.destroy();
    }
  };
  let cancel = (): void => undefined;
  const remind = (): void => {
    cancel = clock.after(
      keepAliveMs,
      () => {
        write(': keepalive\n\n');
        remind();
      },
      false,
    );
  };
  remind();
  raw.on('error', () => undefined).once('close', () => cancel());
  return {
    event: (name, data) => write(`event: ${name}\ndata: ${data}\n\n`),
    end: () => raw.destroy(),
    onEnd: (work) => raw.once('close', work),
  };
}
