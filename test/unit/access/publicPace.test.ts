import assert from 'node:assert/strict';
import { changesChain } from '../../../src/toolkit/access/decodeAnswer';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import type { PaceWait } from '../../../src/toolkit/access/exchange';
import type { Limiter } from '../../../src/toolkit/access/limiter';
import { publicPace } from '../../../src/toolkit/access/network';
import { v2Endpoints } from '../../../src/toolkit/access/v2/v2Endpoints';
import { v3Endpoints } from '../../../src/toolkit/access/v3/v3Endpoints';

describe('the rate limit of a service', () => {
  it("depends on its host, not on its network's name", () => {
    assert.equal(publicPace('https://toncenter.com', false), 1);
    assert.equal(publicPace('https://testnet.toncenter.com', true), 10);
    assert.equal(publicPace('https://toncenter.com', true, 25), 25);
    assert.equal(publicPace('http://127.0.0.1:8081', false), undefined);
  });

  it('applies to a network of any name, and whoever waits is told why', async () => {
    const rates: (number | undefined)[] = [];
    const waits: PaceWait[] = [];
    const limiter: Limiter = {
      acquire: (_, rate) => {
        rates.push(rate);
        return Promise.resolve();
      },
      holdOff: () => undefined,
      heldFor: () => 0,
    };
    const access = createAccess({
      network: { name: 'Mine', kind: 'custom', v2: 'https://toncenter.com/api/v2', globalId: -239 },
      limiter,
      transport: () =>
        Promise.resolve({
          status: 200,
          header: () => undefined,
          body: Buffer.from('{"ok":true,"result":{}}'),
        }),
      onWait: (wait) => waits.push(wait),
    });
    await access.ask(v2Endpoints.getMasterchainInfo, {});
    assert.deepEqual(rates, [1]);
    assert.deepEqual(waits, [{ origin: 'https://toncenter.com', hasKey: false, requestsPerSecond: 1 }]);
  });
});

describe('whether a call changes the chain', () => {
  it('is decided by the endpoint, and for JSON-RPC by its method', () => {
    assert.equal(changesChain(v2Endpoints.sendBoc, {}), true);
    assert.equal(changesChain(v3Endpoints.message, {}), true);
    assert.equal(changesChain(v3Endpoints.traces, {}), false);
    const rpc = (method: unknown): boolean => changesChain(v2Endpoints.jsonRPC, { method });
    assert.equal(rpc('getMasterchainInfo'), false);
    assert.equal(rpc('sendBocReturnHash'), true);
    for (const unknown of ['', 'jsonRPC', 'constructor', 'sendEverything', undefined]) {
      assert.equal(rpc(unknown), true, String(unknown));
    }
  });
});
