/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-member-access, typescript/no-unsafe-call, typescript/no-unsafe-return, typescript/no-unsafe-argument -- answers are JSON, judged field by field */
import assert from 'node:assert/strict';
import { Address } from '@ton/core';
import { createServer } from '../../../src/toolkit/localnet/server/createServer';
import type { LocalChain } from '../../../src/toolkit/localnet/chain/localChain';
import type { Answer, Scenario } from './support/scenario';
import { scenario } from './support/scenario';
import { addressOnWire } from './support/onWire';
import { addressOf, rootResolver, testChain } from './support/testChain';

const [alice, bob] = ['alice', 'bob'].map(addressOf) as [string, string];

describe('domains of the local network', () => {
  let s: Scenario;
  beforeEach(async () => {
    s = await scenario();
  });
  afterEach(() => s.server.close());

  const register = (body: object): Promise<{ status: number; body: Answer }> =>
    s.post('/control/domain', body);
  const resolve = async (domain: string, server = s.server): Promise<Answer[]> => {
    const response = await server.inject({
      url: `/api/v2/dnsResolve?address=${rootResolver(s.chain)}&name=${domain}&ttl=5`,
    });
    return JSON.parse(response.body).result.entries;
  };

  /** Blocks until the names of what was deployed are in the state: get-methods run between two of them. */
  const settle = async (chain: LocalChain, server = s.server): Promise<void> => {
    for (let block = 0; block < 3; block += 1) {
      await chain.mine();
      // One that is asked for now runs after those.
      await resolve('other.ton', server);
    }
  };

  it('resolve a name to a wallet, starting from the root in the configuration', async () => {
    assert.deepEqual(await resolve('shop.ton'), []);
    const { status, body } = await register({ domain: 'shop.ton', wallet: 'alice' });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.domain, 'shop.ton');
    const [entry] = await resolve('shop.ton');
    assert.equal(entry.entry.smc_address.account_address, Address.parseRaw(alice).toString());
    const { body: records } = await s.get('/api/v3/dns/records?domain=shop.ton');
    assert.equal(records.records[0].dns_wallet, addressOnWire(alice));
    assert.equal(records.records[0].nft_item_address.toLowerCase(), body.address);
    assert.deepEqual(await resolve('other.ton'), []);
  });

  it('are given out once, and only for valid names', async () => {
    assert.equal((await register({ domain: 'shop', wallet: alice })).status, 200);
    for (const [request, error] of [
      [{ domain: 'shop.ton', wallet: bob }, /shop\.ton is taken/],
      [{ domain: 'a.b.ton', wallet: bob }, /domain is not a name/],
      [{ domain: '', wallet: bob }, /domain is not a name/],
      [{ domain: 'x'.repeat(127), wallet: bob }, /domain is not a name/],
      [{ domain: 'x' }, /wallet is missing/],
    ] as const) {
      const { status, body } = await register(request);
      assert.equal(status, 422, JSON.stringify(request));
      assert.match(body.error, error);
    }
  });

  it('include each deployed domain item, whoever deployed it; the first one keeps its name', async () => {
    const item = (await register({ domain: 'shop', wallet: alice })).body.address;
    const account = s.chain.ledger.accounts.get(item)!;
    // The same contract on another network, deployed like any other: not by the command.
    const other = await testChain();
    const server = await createServer(other);
    const copy = (to: string): void =>
      other.change([{ address: to, shardAccount: Buffer.from(account.current, 'base64') }]);
    copy(item);
    await settle(other, server);
    const [entry] = await resolve('shop.ton', server);
    assert.equal(entry?.entry.smc_address.account_address, Address.parseRaw(alice).toString());
    copy(`0:${'AB'.repeat(32)}`);
    await settle(other, server);
    assert.equal((await resolve('shop.ton', server)).length, 1);
    await server.close();
  });

  it('forget a name that is newer than the restored state, and find it again later', async () => {
    const { seqno: before } = s.chain.ledger.last;
    await register({ domain: 'shop', wallet: alice });
    // The item is there, its name is not yet.
    const { seqno: registered } = s.chain.ledger.last;
    await s.post('/control/restore', { seqno: registered - 1 });
    await settle(s.chain);
    assert.equal((await resolve('shop.ton')).length, 1);
    await s.post('/control/restore', { seqno: before });
    await settle(s.chain);
    assert.deepEqual(await resolve('shop.ton'), []);
    assert.equal((await register({ domain: 'shop', wallet: bob })).status, 200);
  });
});
