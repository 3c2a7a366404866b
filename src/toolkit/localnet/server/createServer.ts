import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import type { LocalChain } from '../chain/localChain';
import { chainStatus } from '../control/chainStatus';
import { TokenIndex } from '../tokens/tokenIndex';
import { mountControl } from './mountControl';
import { mountV2 } from './mountV2';
import { mountV3 } from './mountV3';

const megabyte = 1024 * 1024;

/** The HTTP server over a chain; not yet listening. */
export async function createServer(chain: LocalChain): Promise<FastifyInstance> {
  const server = fastify({
    logger: false,
    bodyLimit: 8 * megabyte,
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
  });
  // Clients send JSON with all kinds of content types, or none.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  await server.register(async (scope) => {
    await scope.register(cors, { origin: '*', exposedHeaders: '*' });
    const tokens = new TokenIndex(chain);
    mountV2(scope, chain, tokens);
    mountV3(scope, {
      chain,
      tokens,
      maximumTraceTransactions: 4000,
      get ledger() {
        return chain.ledger;
      },
    });
  });
  await server.register((scope) => {
    mountControl(scope, { chain, status: () => chainStatus(chain) });
  });
  return server;
}
