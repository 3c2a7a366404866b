import cors from '@fastify/cors';
import fastify from 'fastify';
import { listenOnLoopback } from '../../../src/toolkit/base/loopbackServer';
import { systemClock } from '../../../src/toolkit/base/time';
import { Acknowledgments } from '../../../src/toolkit/tonConnect/acknowledgments';
import { Bridge } from '../../../src/toolkit/tonConnect/bridge';
import { mountBridge } from '../../../src/toolkit/tonConnect/walletServer';

/**
 * The wallet's bridge without its wallet: it carries messages between any two clients, as a public bridge does, so that tests
 * of public bridges can be aimed at it.
 */
export async function startStrangersBridge(): Promise<{ url: string; close(): Promise<void> }> {
  const bridge = new Bridge(systemClock);
  const server = fastify({ forceCloseConnections: true });
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  await server.register(cors, { origin: '*' });
  mountBridge(server, bridge, {
    streams: new Set(),
    acknowledgments: new Acknowledgments(systemClock),
    receive: (message, ttl) => {
      bridge.publish(bridge.make(message, ttl));
      return 'taken';
    },
  });
  const port = await listenOnLoopback(server, 0);
  return { url: `http://127.0.0.1:${port}/bridge`, close: () => server.close() };
}
