import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { writeAnswerInTurns } from '../../api/writeAnswer';
import { ApiError, statusOfError } from '../api/apiError';
import type { LocalChain } from '../chain/localChain';
import type { TokenIndex } from '../tokens/tokenIndex';
import { preloadV2 } from './preload';
import { v2Methods } from '../v2/v2Methods';
import type { Source } from '../v2/v2Parameters';
import { V2Parameters } from '../v2/v2Parameters';
import { parseBody } from './parseBody';
import { stringifyInTurns } from './stringifyInTurns';
import { systemClock } from '../../time';

const prefix = '/api/v2';
/** Version of the emulated service: 2.1.x is the C++ implementation. */
const apiVersion = '2.1.11';
/** Paths for JSON-RPC: the service's own, and the default of Blueprint and others. */
const jsonRpcPaths = [`${prefix}/jsonRPC`, prefix, '/jsonRPC', '/', `${prefix}/v2/jsonRPC`];

/** The non-indexed API: every method by GET and POST, and JSON-RPC. */
export function mountV2(server: FastifyInstance, chain: LocalChain, tokens: TokenIndex): void {
  const methods = v2Methods(tokens);
  const call = async (
    method: string,
    values: Record<string, unknown>,
    source: Source,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const began = systemClock.monotonic();
    const found = methods.get(method);
    try {
      if (found === undefined) {
        return await send(reply, 404, { ok: false, error: 'Not Found', code: 404, '@extra': '_' });
      }
      const parameters = new V2Parameters(values, source);
      parameters.check(found.endpoint);
      await preloadV2(chain, values);
      const answer = await found.handle(chain, parameters);
      const result = await writeAnswerInTurns(found.endpoint.result, answer);
      return await send(reply, 200, { ok: true, result, '@extra': extra(began) });
    } catch (error) {
      return sendError(reply, error, began);
    }
  };
  server.all<{ Params: { method: string } }>(`${prefix}/:method`, async (request, reply) => {
    const { method } = request.params;
    if (request.method === 'GET') {
      const taken = methods.get(method)?.endpoint.methods ?? (method === 'jsonRPC' ? ['POST'] : ['GET']);
      return !taken.includes('GET')
        ? sendError(reply, new ApiError(405, 'method GET is not supported'), systemClock.monotonic())
        : call(method, request.query as Record<string, unknown>, 'get', reply);
    }
    if (request.method !== 'POST') {
      const error = new ApiError(405, `unsupported http method: ${request.method}`);
      return sendError(reply, error, systemClock.monotonic());
    }
    return withBody(request, reply, (body) => call(method, body, 'post', reply));
  });
  for (const path of jsonRpcPaths) {
    server.post(path, async (request, reply) =>
      withBody(request, reply, (body) => {
        const { method, params } = body;
        if (typeof method !== 'string') {
          const error = new ApiError(422, 'failed to parse post request: method must be a string');
          return sendError(reply, error, systemClock.monotonic());
        }
        if (Array.isArray(params) && params.length > 0) {
          const error = new ApiError(422, 'failed to parse post request: params must contain an object');
          return sendError(reply, error, systemClock.monotonic());
        }
        const values =
          typeof params === 'object' && params !== null ? (params as Record<string, unknown>) : {};
        return call(method, values, 'post', reply);
      }),
    );
  }
}

async function withBody(
  request: FastifyRequest,
  reply: FastifyReply,
  next: (body: Record<string, unknown>) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const body = parseBody(request.body);
  if (body === null) {
    return sendError(
      reply,
      new ApiError(422, 'failed to parse post request: invalid JSON'),
      systemClock.monotonic(),
    );
  }
  return next(body);
}

function sendError(reply: FastifyReply, error: unknown, began: number): Promise<FastifyReply> {
  const code = statusOfError(error);
  const text = error instanceof Error ? error.message : String(error);
  return send(reply, code, { ok: false, error: text, code, '@extra': extra(began) });
}

async function send(reply: FastifyReply, status: number, body: unknown): Promise<FastifyReply> {
  const text = await stringifyInTurns(body);
  return reply
    .code(status)
    .header('x-api-version', apiVersion)
    .type('application/json; charset=utf-8')
    .send(text);
}

/** The service's `@extra`: time, lite server number, seconds taken. */
function extra(began: number): string {
  return `${systemClock.now() / 1000}:0:${((systemClock.monotonic() - began) / 1000).toFixed(6)}`;
}
