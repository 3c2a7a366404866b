import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AddressInfo } from 'node:net';
import { listenError } from './isListening';
import { hasOneHost } from './loopback';

/** How a server for this machine answers what it does not serve. */
export interface LoopbackAnswers {
  /** Why a request is not for this server; undefined if it is. */
  foreign: (request: FastifyRequest) => string | undefined;
  /** An answer in the server's own format. */
  refuse: (reply: FastifyReply, status: number, text: string) => FastifyReply;
  /** What is said of a path that the server does not have. */
  unknown: (request: FastifyRequest) => string;
}

/**
 * Keeps out what is not for this server, before anything reads it, and answers unknown paths with 404, and other methods of
 * known ones with 405. Bodies are text, whatever content type a client gives.
 */
export function guardLoopback(server: FastifyInstance, { foreign, refuse, unknown }: LoopbackAnswers): void {
  readBodiesAsText(server);
  server.addHook('onRequest', async (request, reply) => {
    if (!hasOneHost(request.raw.rawHeaders)) {
      return refuse(reply, 400, 'This request has more than one Host header.');
    }
    const problem = foreign(request);
    return problem === undefined ? undefined : refuse(reply, 421, problem);
  });
  server.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    const methods = ['GET', 'POST'].filter((method) => server.hasRoute({ method, url: path }));
    const allowed = methods.join(', ');
    return methods.length === 0
      ? refuse(reply, 404, unknown(request))
      : refuse(reply.header('allow', allowed), 405, `Use ${allowed} here, not ${request.method}.`);
  });
}

/** Clients send JSON with all kinds of content types, or none; and once it is parsed, the digits of large numbers are lost. */
export function readBodiesAsText(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
}

/**
 * Binds 127.0.0.1.
 * @param port 0 picks a free one
 * @returns the port
 * @throws WorkbenchError `port-in-use`, `port-not-allowed`, `listen-failed` (input)
 */
export async function listenOnLoopback(server: FastifyInstance, port: number): Promise<number> {
  try {
    await server.listen({ port, host: '127.0.0.1' });
  } catch (error) {
    throw listenError(port, error instanceof Error ? error : new Error(String(error)));
  }
  return loopbackPort(server);
}

/** The port on which a server listens. */
export function loopbackPort(server: FastifyInstance): number {
  return (server.server.address() as AddressInfo).port;
}
