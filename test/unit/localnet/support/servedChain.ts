import type { AddressInfo } from 'node:net';
import type { Access } from '../../../../src/toolkit/access/createAccess';
import { createAccess, createFetchTransport } from '../../../../src/toolkit/access/createAccess';
import type { LocalChainOptions } from '../../../../src/toolkit/localnet/chain/chainState';
import type { LocalChain } from '../../../../src/toolkit/localnet/chain/localChain';
import { createServer } from '../../../../src/toolkit/localnet/server/createServer';
import { testChain } from './testChain';

/** A chain served over HTTP, and access to it. */
export interface ServedChain {
  chain: LocalChain;
  access: Access;
  close(): Promise<void>;
}

/** Serves a {@link testChain} on a free port. */
export async function servedChain(options: Partial<LocalChainOptions> = {}): Promise<ServedChain> {
  const chain = await testChain(options);
  const server = await createServer(chain);
  await server.listen({ port: 0, host: '127.0.0.1' });
  const base = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/api`;
  return {
    chain,
    access: createAccess({
      network: { name: 'Local', kind: 'local', v2: `${base}/v2`, v3: `${base}/v3`, globalId: -3 },
      transport: createFetchTransport(),
    }),
    close: async () => {
      await server.close();
      await chain.close();
    },
  };
}
