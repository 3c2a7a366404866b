import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { writeAnswerInTurns } from '../../api/writeAnswer';
import { systemClock } from '../../base/time';
import { ApiError } from '../api/apiError';
import type { LocalChain } from '../chain/localChain';
import type { TokenIndex } from '../tokens/tokenIndex';
import type { Source } from '../v2/transactions';
import { V2Parameters } from '../v2/transactions';
import type { V2Method } from '../v2/v2Methods';
import { v2Methods } from '../v2/v2Methods';
import type { V2Service } from '../v2/v2Service';
import { preloadV2 } from './preload';
import { parseBody, stringifyInTurns } from './stringifyInTurns';

const prefix = '/api/v2';
/** Paths for JSON-RPC: the service's own, and the default of Blueprint and others. */
const jsonRpcPaths = [`${prefix}/jsonRPC`, prefix, '/jsonRPC', '/', `${prefix}/v2/jsonRPC`];

/** The status and the body of an answer. */
interface Answer {
  status: number;
  /** Undefined for none at all. */
  body: Record<string, unknown> | undefined;
}

/** The non-indexed API, in the ways of `service`: its methods by GET and POST, and JSON-RPC. */
export function mountV2(
  server: FastifyInstance,
  chain: LocalChain,
  tokens: TokenIndex,
  service: V2Service,
): void {
  const methods = v2Methods(tokens);
  const methodNamed = (name: string): V2Method | undefined =>
    service.lacks.has(name) ? undefined : methods.get(name);
  const call = async (
    { endpoint, handle }: V2Method,
    values: Record<string, unknown>,
    source: Source,
  ): Promise<Answer> => {
    const began = systemClock.monotonic();
    try {
      const parameters = new V2Parameters(values, source, service.transactionsLimit);
      parameters.check(endpoint);
      await preloadV2(chain, values);
      const result = await writeAnswerInTurns(endpoint.result, await handle(chain, parameters));
      return { status: 200, body: success(service, result, extra(began)) };
    } catch (error) {
      return failed(service, error, began);
    }
  };
  const send = async (reply: FastifyReply, { status, body }: Answer): Promise<FastifyReply> => {
    const text = body === undefined ? '' : await stringifyInTurns(body);
    return reply
      .code(status)
      .header('x-api-version', service.version)
      .type('application/json; charset=utf-8')
      .send(text);
  };

  server.all<{ Params: { method: string } }>(`${prefix}/:method`, async (request, reply) => {
    const found = methodNamed(request.params.method);
    const refused = refuseVerb(service, request.method, request.params.method, found);
    if (refused !== undefined) {
      return send(reply, failed(service, refused));
    }
    if (found === undefined) {
      return send(reply, notFound);
    }
    if (request.method === 'GET') {
      return send(reply, await call(found, request.query as Record<string, unknown>, 'get'));
    }
    const body = parseBody(request.body);
    return send(
      reply,
      body === null
        ? failed(service, new ApiError(422, 'failed to parse post request: invalid JSON'))
        : await call(found, body, 'post'),
    );
  });
  for (const path of jsonRpcPaths) {
    server.post(path, async (request, reply) => send(reply, await answerRpc(request)));
  }

  async function answerRpc(request: FastifyRequest): Promise<Answer> {
    const body = parseBody(request.body);
    const { malformed, unknownMethod, echoes } = service.rpc;
    if (body === null || typeof body.method !== 'string') {
      return malformed.text === ''
        ? { status: malformed.status, body: undefined }
        : { status: malformed.status, body: refusal(malformed.text, malformed.status) };
    }
    const echo = echoes ? { jsonrpc: '2.0', id: body.id ?? null } : {};
    const withEcho = ({ status, body: answer }: Answer): Answer => ({ status, body: { ...answer, ...echo } });
    const { params } = body;
    if (Array.isArray(params) && params.length > 0) {
      return withEcho(failed(service, new ApiError(422, 'params must contain an object')));
    }
    const found = methodNamed(body.method);
    if (found === undefined) {
      const { status, text } = unknownMethod;
      return withEcho(status === 404 ? notFound : { status, body: refusal(text, status) });
    }
    const values = typeof params === 'object' && params !== null ? (params as Record<string, unknown>) : {};
    return withEcho(await call(found, values, 'post'));
  }
}

const notFound: Answer = {
  status: 404,
  body: { ok: false, error: 'Not Found', code: 404, '@extra': '_' },
};

/** The error for a verb that the method, or everything, is not served by. */
function refuseVerb(
  service: V2Service,
  verb: string,
  name: string,
  found: V2Method | undefined,
): ApiError | undefined {
  if (verb !== 'GET' && verb !== 'POST') {
    return new ApiError(405, `unsupported http method: ${verb}`);
  }
  const takesGet = found?.endpoint.methods.includes('GET') ?? name !== 'jsonRPC';
  if (verb === 'GET' && !takesGet) {
    return new ApiError(405, 'method GET is not supported');
  }
  return verb === 'POST' && found !== undefined && takesGet && !service.readsByPost
    ? new ApiError(405, 'Method Not Allowed')
    : undefined;
}

function success(service: V2Service, result: unknown, note: string): Record<string, unknown> {
  if (service.extra === 'beside') {
    return { ok: true, result, '@extra': note };
  }
  const isObject = typeof result === 'object' && result !== null && !Array.isArray(result);
  return { ok: true, result: isObject ? { ...result, '@extra': note } : result };
}

function failed(service: V2Service, error: unknown, began?: number): Answer {
  const { code, text } = service.failure(error);
  const note = began === undefined ? '_' : extra(began);
  return {
    status: code,
    body: { ...refusal(text, code), ...(service.extra === 'beside' ? { '@extra': note } : {}) },
  };
}

function refusal(error: string, code: number): Record<string, unknown> {
  return { ok: false, error, code };
}

/** The service's `@extra`: time, lite server number, seconds taken. */
function extra(began: number): string {
  return `${systemClock.now() / 1000}:0:${((systemClock.monotonic() - began) / 1000).toFixed(6)}`;
}
