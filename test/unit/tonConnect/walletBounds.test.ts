import { Address } from '@ton/core';
import assert from 'node:assert/strict';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';
import { systemClock } from '../../../src/toolkit/base/time';
import { startTestWallet } from '../../../src/toolkit/tonConnect/startTestWallet';
import type { RunningTestWallet } from '../../../src/toolkit/tonConnect/startTestWallet';
import type { Approval } from '../../../src/toolkit/tonConnect/protocol';
import type { WalletAnswer } from '../../../src/toolkit/tonConnect/walletBook';
import { testChain } from '../localnet/support/testChain';
import { FakeDApp } from './support/fakeDApp';
import { fakeNetwork } from './support/fakeNetwork';
import type { FakeNetwork } from './support/fakeNetwork';

const [, bob] = namedAccounts;
const address = Address.parse(bob!.address).toString({ bounceable: false });
const jetton = { type: 'jetton', master: address, destination: address, amount: '1' };
const text = { type: 'text', text: 'sign me' };

/* The numbers are written out: they are promised in the documentation. */
describe('what the test wallet refuses', () => {
  let network: FakeNetwork;
  let running: RunningTestWallet;
  /** Milliseconds that the wallet's clock is ahead. */
  let later = 0;

  const start = async (account: string, approval: Approval): Promise<void> => {
    network = fakeNetwork(await testChain());
    later = 0;
    const clock = { ...systemClock, now: () => Date.now() + later };
    running = await startTestWallet({ network, account, approval, clock, port: 0, version: '1.2.3' });
  };
  afterEach(() => running.close());

  const payment = (change: object = {}): Record<string, unknown> => ({
    ...{ valid_until: Math.floor((Date.now() + later) / 1000) + 60, network: '-239' },
    ...{ messages: [{ address, amount: '1' }], ...change },
  });
  /** Resolves with the last one of the next answers. */
  const answered = (count = 1): Promise<WalletAnswer> =>
    new Promise((resolve) => {
      let left = count;
      const stop = running.wallet.onEvent((event) => {
        if (event.type === 'answer' && (left -= 1) === 0) {
          stop();
          resolve(event.answer);
        }
      });
    });
  /** A dApp that the wallet has approved. */
  const connect = async (): Promise<FakeDApp> => {
    const dApp = new FakeDApp();
    dApp.listen(running.wallet);
    const told = answered();
    await dApp.connect(running.wallet);
    const asked = running.wallet.pending.at(-1);
    if (asked !== undefined) {
      running.wallet.decide(asked.number, { decision: 'approve' });
    }
    await told;
    return dApp;
  };
  const post = async (dApp: FakeDApp, body: string, more = ''): Promise<number> => {
    const query = `client_id=${dApp.app}&to=${dApp.session}${more}`;
    return (await fetch(`${running.bridge}/message?${query}`, { method: 'POST', body })).status;
  };
  const sign = (dApp: FakeDApp): Promise<number> =>
    post(dApp, dApp.message('signData', [JSON.stringify(text)]));

  const many = (count: number): object => ({
    messages: Array.from({ length: count }, () => ({ address, amount: '1' })),
  });
  const refusals: [string, string, () => unknown[], number][] = [
    ['a payment that has expired', 'sendTransaction', () => [payment({ valid_until: 1 })], 1],
    ['a payment on another network', 'sendTransaction', () => [payment({ network: '-3' })], 1],
    ['a payment from another account', 'sendTransaction', () => [payment({ from: bob!.address })], 1],
    ['256 messages from a v5 wallet', 'sendTransaction', () => [payment(many(256))], 1],
    ['a payment without messages', 'sendTransaction', () => [payment({ messages: [] })], 1],
    ['no parameter', 'sendTransaction', () => [], 1],
    ['a parameter that is not JSON', 'sendTransaction', () => ['{'], 1],
    ['a signature on another network', 'signData', () => [{ ...text, network: '-3' }], 1],
    ['a signature of an unknown kind', 'signData', () => [{ type: 'hash', hash: '00' }], 1],
    ['bytes that are not base64', 'signData', () => [{ type: 'binary', bytes: '?' }], 1],
    ['a cell that is none', 'signData', () => [{ type: 'cell', schema: 'a#_ = A;', cell: 'AAAA' }], 1],
    ['a method that it does not know', 'signTransfer', () => [payment()], 400],
    ['a signed message that has expired', 'signMessage', () => [payment({ valid_until: 1 })], 1],
    [
      'items of an unknown jetton',
      'signMessage',
      () => [payment({ messages: undefined, items: [jetton] })],
      1,
    ],
  ];
  it("refuses with the protocol's codes, and asks nobody", async () => {
    await start('alice', 'ask');
    const dApp = await connect();
    let asked = 0;
    running.wallet.onEvent(({ type }) => (asked += type === 'request' ? 1 : 0));
    for (const [what, method, parameters, code] of refusals) {
      const told = answered();
      const texts = parameters().map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
      assert.equal(await post(dApp, dApp.message(method, texts)), 200, what);
      assert.equal((await told).error?.code, code, what);
    }
    assert.equal(asked, 0);
    assert.deepEqual([running.wallet.pending, network.sent], [[], []]);
    const last = answered();
    running.wallet.leave(dApp.session);
    assert.equal(await sign(dApp), 200);
    assert.equal((await last).error?.code, 100, 'it is not connected anymore');
  });

  it('sends at most 4 messages with a v4 wallet, and 255 with a v5 wallet', async () => {
    for (const [account, most] of [
      ['bob', 4],
      ['alice', 255],
    ] as const) {
      await start(account, 'all');
      const dApp = await connect();
      for (const [count, code] of [
        [most + 1, 1],
        [most, undefined],
      ] as const) {
        const told = answered();
        await post(dApp, dApp.message('sendTransaction', [JSON.stringify(payment(many(count)))]));
        assert.equal((await told).error?.code, code, `${count} messages from ${account}`);
      }
      assert.equal(network.sent.length, 1);
      if (account === 'bob') {
        await running.close();
      }
    }
  });

  it('does not pay what has expired until it was approved', async () => {
    await start('alice', 'ask');
    const dApp = await connect();
    dApp.send(running.wallet, 'sendTransaction', payment());
    later = 61_000;
    const told = answered();
    running.wallet.decide(running.wallet.pending[0]!.number, { decision: 'approve' });
    assert.match((await told).error?.message ?? '', /expired/);
    assert.deepEqual(network.sent, []);
  });

  it('takes messages of 64 KiB, and links, and no larger ones', async () => {
    await start('alice', 'ask');
    const dApp = await connect();
    assert.equal(await post(dApp, 'A'.repeat(65_536)), 400, 'read, and not for this session');
    assert.equal(await post(dApp, 'A'.repeat(65_537)), 413);
    const link = (padding: number): Promise<Response> => {
      const r = JSON.stringify({ manifestUrl: 'https://a.example/m', items: [{ name: 'ton_addr' }] });
      const query = new URLSearchParams({ v: '2', id: 'ab'.repeat(32), r, pad: 'x'.repeat(padding) });
      return fetch(`${running.universalLink}?${query.toString()}`);
    };
    assert.equal((await link(65_536)).status, 400);
    assert.equal((await link(64_000)).status, 200);
  });

  it('takes messages that live for at most 300 s', async () => {
    await start('alice', 'ask');
    const dApp = await connect();
    const body = dApp.message('signData', [JSON.stringify(text)]);
    assert.equal(await post(dApp, body, '&ttl=301'), 400);
    assert.equal(await post(dApp, body, '&ttl=-1'), 400);
    assert.equal(await post(dApp, body, '&ttl=300'), 200);
  });

  it('keeps an answer for 300 s', async () => {
    await start('alice', 'ask');
    const dApp = await connect();
    running.wallet.setApproval(dApp.session, 'none');
    const told = answered();
    await sign(dApp);
    await told;
    const kept = (): number => {
      let count = 0;
      running.wallet.bridge.listen([dApp.app], 0, () => (count += 1))();
      return count;
    };
    later = 299_000;
    assert.equal(kept(), 2, 'that to connect, and that to sign');
    later = 301_000;
    assert.equal(kept(), 0);
  });

  it('has at most 100 messages of a dApp that nobody has decided, or that the dApp has not fetched', async () => {
    await start('alice', 'ask');
    const [dApp, other] = [await connect(), await connect()];
    for (let count = 0; count < 100; count += 1) {
      assert.equal(dApp.send(running.wallet, 'signData', text), 'taken');
    }
    assert.equal(await sign(dApp), 429);
    assert.equal(await sign(other), 200, 'another dApp has its own');
    // The dApp is not there while they are answered: its queue is as full as before.
    dApp.leave();
    const told = answered(100);
    running.wallet.setApproval(dApp.session, 'none');
    await told;
    assert.equal(await sign(dApp), 429);
    dApp.listen(running.wallet);
    assert.equal(dApp.heard.length, 101);
    assert.equal(await sign(dApp), 200);
  });

  it('is connected to at most 100 dApps', async () => {
    const r = { manifestUrl: 'https://a.example/m.json', items: [{ name: 'ton_addr' }] };
    await start('alice', 'ask');
    const link = (number: number): Promise<Response> => {
      const id = number.toString(16).padStart(64, '0');
      const query = new URLSearchParams({ v: '2', id, r: JSON.stringify(r) });
      return fetch(`${running.universalLink}?${query.toString()}`);
    };
    for (let number = 1; number <= 100; number += 1) {
      assert.equal((await link(number)).status, 200, `${number}`);
    }
    const refused = await link(101);
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /100 connected dApps/);
    const body = JSON.stringify({ client: 'ff'.repeat(32), request: r });
    const injected = await fetch(new URL('/injected/connect', running.bridge), { method: 'POST', body });
    assert.equal(injected.status, 429);
    assert.equal(running.wallet.sessions.length, 100);
  });
});
