import type { FastifyInstance, FastifyReply } from 'fastify';
import { writeAnswerInTurns } from '../../api/writeAnswer';
import { systemClock } from '../../base/time';
import { ApiError, statusOfError } from '../api/apiError';
import type { ParameterValues } from '../api/requestParameters';
import type { LocalChain } from '../chain/localChain';
import { Query } from '../v3/query';
import { unchecked, v3Routes } from '../v3/routes';
import type { V3Context } from '../v3/v3Context';
import { preloadV3 } from './preload';
import { parseBody, stringifyInTurns } from './stringifyInTurns';

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

/** What an answer of a fork can cover: accounts read so far, or events since the fork. */
type ForkScope = 'read-accounts' | 'own-history';

/** Lists of contracts by owner or creator: the other network has more of them than the fork has read. */
const lists: ReadonlySet<string> = new Set([
  '/jetton/masters',
  '/jetton/wallets',
  '/nft/collections',
  '/nft/items',
  '/nft/sales',
  '/dns/records',
  '/multisig/wallets',
  '/multisig/orders',
  '/vesting',
  '/topAccountsByBalance',
]);

const histories: ReadonlySet<string> = new Set([
  '/blocks',
  '/transactions',
  '/transactionsByMessage',
  '/adjacentTransactions',
  '/messages',
  '/traces',
  '/events',
  '/actions',
  '/jetton/transfers',
  '/jetton/burns',
  '/nft/transfers',
]);

/** The scope of an indexed API answer; undefined if it is complete. */
function forkScope(
  { fork }: LocalChain,
  path: string,
  parameters: Readonly<Record<string, unknown>>,
): ForkScope | undefined {
  if (fork === undefined) {
    return undefined;
  }
  // Accounts requested by address were read for this answer.
  return lists.has(path) && parameters['address'] === undefined
    ? 'read-accounts'
    : histories.has(path)
      ? 'own-history'
      : undefined;
}
