import type { FastifyInstance, FastifyReply } from 'fastify';
import { writeAnswerInTurns } from '../../api/writeAnswer';
import { ApiError, statusOfError } from '../api/apiError';
import { forkScope } from './forkScope';
import { preloadV3 } from './preload';
import type { V3Context } from '../v3/context';
import type { ParameterValues } from '../api/requestParameters';
import { Query } from '../v3/query';
import { unchecked, v3Routes } from '../v3/routes';
import { parseBody } from './parseBody';
import { stringifyInTurns } from './stringifyInTurns';
import { systemClock } from '../../time';

const prefix = '/api/v3';

/** The indexed API. */
export function mountV3(server: FastifyInstance, context: V3Context): void {
  for (const { endpoint, path, handle, result } of v3Routes) {
    server.route({
      method: [...endpoint.methods],
      url: prefix + path,
      handler: async (request, reply) => {
        const began = systemClock.monotonic();
        try {
          const inQuery = request.method === 'GET';
          const parameters = inQuery ? (request.query as ParameterValues) : parseBody(request.body);
          if (parameters === null) {
            throw new ApiError(422, 'failed to decode: invalid JSON');
          }
          const query = new Query(parameters, request.headers);
          if (inQuery && !unchecked.has(endpoint)) {
            query.check(endpoint);
          }
          await preloadV3(context.chain, path, parameters);
          const scope = forkScope(context.chain, path, parameters);
          const answer = await writeAnswerInTurns(result, await handle(context, query));
          if (scope === undefined) {
            return await send(reply, 200, answer, began);
          }
          reply.header('x-fork-scope', scope);
          const withScope = Array.isArray(answer)
            ? (answer as unknown[])
            : { ...(answer as object), fork_scope: scope };
          return await send(reply, 200, withScope, began);
        } catch (error) {
          return await sendError(
            reply,
            statusOfError(error),
            error instanceof Error ? error.message : String(error),
            began,
          );
        }
      },
    });
  }
  server.all(`${prefix}/*`, async (request, reply) => {
    const path = request.url.split('?', 1)[0] as string;
    const text = `internal server error: Cannot ${request.method} ${path}`;
    return sendError(reply, 500, text, systemClock.monotonic());
  });
  server.get('/healthcheck', async (_request, reply) => reply.type('text/plain').send('OK'));
}

/** The service omits `code`, but its documentation has it; this satisfies clients of either. */
function sendError(reply: FastifyReply, status: number, error: string, began: number): Promise<FastifyReply> {
  return send(reply, status, { error, code: status }, began);
}

async function send(
  reply: FastifyReply,
  status: number,
  body: unknown,
  began: number,
): Promise<FastifyReply> {
  const text = await stringifyInTurns(body);
  return reply
    .code(status)
    .header('server-timing', `app;dur=${(systemClock.monotonic() - began).toFixed(3)}ms`)
    .header('x-api-version', '1.2.10')
    .type('application/json')
    .send(text);
}
