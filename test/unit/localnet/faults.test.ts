import assert from 'node:assert/strict';
import type { Scenario } from './support/scenario';
import { scenario } from './support/scenario';

describe('injected faults of the local network', () => {
  let s: Scenario;
  before(async () => {
    s = await scenario();
  });
  after(() => s.server.close());
  afterEach(() => s.post('/control/faults', {}));

  const set = async (faults: unknown): Promise<void> => {
    assert.equal((await s.post('/control/faults', faults)).status, 200);
  };
  const ask = (headers: Record<string, string> = {}): Promise<{ statusCode: number; body: string }> =>
    s.server.inject({ url: '/api/v3/masterchainInfo', headers });

  it('require a key, in the header or in the query', async () => {
    await set({ keys: ['secret'] });
    assert.equal((await ask()).statusCode, 401);
    assert.equal((await ask({ 'x-api-key': 'secret' })).statusCode, 200);
    const { status } = await s.get('/api/v2/getMasterchainInfo?api_key=secret');
    assert.equal(status, 200);
  });

  it("limit the rate with either of the service's bodies", async () => {
    await set({ requestsPerSecond: 2 });
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await ask()).statusCode));
    assert.deepEqual(statuses.sort(), [200, 200, 429, 429, 429]);
    assert.equal((JSON.parse((await ask()).body) as { result: string }).result, 'Ratelimit exceed');
    await set({ requestsPerSecond: 0.5, rateLimitBody: 'error' });
    await ask();
    assert.equal((JSON.parse((await ask()).body) as { error: string }).error, 'Ratelimit exceeded');
  });

  it('fail a share of requests as services and gateways do', async () => {
    await set({ failureShare: 1, failures: ['html'] });
    assert.match((await ask()).body, /<html>/);
    await set({ failureShare: 1, failures: ['503'] });
    assert.equal((await ask()).statusCode, 503);
    const refused = await s.post('/control/faults', { failureShare: 2 });
    assert.equal(refused.status, 422);
  });

  it('record requests without keys, and replay them', async () => {
    await s.get('/api/v2/getMasterchainInfo?api_key=secret');
    const { body } = await s.get<{ id: number; path: string; status: number }[]>('/control/requests');
    const last = body.at(-1);
    assert.equal(last?.path, '/api/v2/getMasterchainInfo?api_key=…');
    assert.equal(last.status, 200);
    const again = await s.post<{ body: string }>('/control/replay', { id: last.id });
    const { result } = JSON.parse(again.body.body) as { result: { last: { workchain: number } } };
    assert.equal(result.last.workchain, -1);
  });
});
