import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Network } from '../../../src/toolkit/access/network';
import { networkClock } from '../../../src/toolkit/localnet/networkClock';

describe('the clock of a network', () => {
  const near = (a: number, b: number): boolean => Math.abs(a - b) < 5_000;

  async function withStatus(body: string, use: (network: Network) => Promise<void>): Promise<void> {
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/control/status' ? 200 : 404).end(body);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      await use({ name: 'Local', kind: 'local', v3: `http://127.0.0.1:${port}/api/v3`, globalId: -239 });
    } finally {
      server.close();
    }
  }

  it("is the local network's, which may be ahead", async () => {
    await withStatus('{"ahead":7200}', async (network) => {
      const clock = await networkClock(network);
      assert.ok(near(clock.now(), Date.now() + 7_200_000));
    });
  });

  it("is the machine's if there is no other", async () => {
    for (const body of ['{}', 'null', '{"ahead":"soon"}', 'no JSON']) {
      await withStatus(body, async (network) => {
        assert.ok(near((await networkClock(network)).now(), Date.now()), body);
        const other = await networkClock({ ...network, kind: 'custom' });
        assert.ok(near(other.now(), Date.now()));
      });
    }
  });
});
