/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access -- answers are JSON, judged field by field */
import assert from 'node:assert/strict';
import { beginCell, Cell } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { defaultNetworkConfig } from '../../../src/toolkit/emulator/networkConfig';
import { runGetMethod, methodIdOf } from '../../../src/toolkit/localnet/chain/runGetMethod';
import type { Answer, Scenario } from './support/scenario';
import { scenario } from './support/scenario';
import { addressOf, mineWith, transfer } from './support/testChain';

const [alice, bob] = ['alice', 'bob'].map(addressOf) as [string, string];

async function compile(source: string): Promise<Cell> {
  const compiled = await runTolkCompiler({ entrypointFileName: 'main.tolk', fsReadCallback: () => source });
  assert.equal(compiled.status, 'ok', JSON.stringify(compiled));
  return Cell.fromBase64((compiled as { codeBoc64: string }).codeBoc64);
}

describe('the control API of the local network', function () {
  this.timeout(30_000);
  let s: Scenario;
  beforeEach(async () => {
    s = await scenario();
  });
  afterEach(() => s.server.close());

  const control = async (name: string, body: unknown = {}): Promise<Answer> => {
    const { status, body: answer } = await s.post(`/control/${name}`, body);
    assert.equal(status, 200, JSON.stringify(answer));
    return answer;
  };
  const balance = (address: string): bigint => s.chain.ledger.accounts.get(address)?.facts.balance ?? 0n;

  it('keeps web pages out', async () => {
    for (const headers of [
      { origin: 'https://example.org' },
      { origin: 'http://127.0.0.1:3000' },
      { 'sec-fetch-site': 'cross-site' },
      { host: 'evil.example' },
    ]) {
      const response = await s.server.inject({ method: 'POST', url: '/control/reset', headers });
      assert.equal(response.statusCode, 403, JSON.stringify(headers));
      assert.equal(response.headers['access-control-allow-origin'], undefined);
    }
    assert.ok(s.chain.ledger.last.seqno > 1);
    const open = await s.server.inject({
      url: '/api/v2/getMasterchainInfo',
      headers: { origin: 'https://example.org' },
    });
    assert.equal(open.headers['access-control-allow-origin'], '*');
  });

  it('remembers what a contract is called, with the chain and until it begins anew', async () => {
    const code = await compile('fun onInternalMessage(in: InMessage) {}');
    const deploy = (salt: number, name: string): Promise<Answer> => {
      const data = beginCell().storeUint(salt, 8).endCell();
      return control('deploy', {
        code: code.toBoc().toString('base64'),
        data: data.toBoc().toString('base64'),
        name,
      });
    };
    const names = async (): Promise<unknown> => {
      const { body } = await s.get('/control/status');
      return body.names;
    };
    const first = await deploy(1, 'Counter');
    const second = await deploy(2, 'Counter');
    assert.equal(second.name, 'Counter-2');
    assert.deepEqual(await names(), { [first.address]: 'Counter', [second.address]: 'Counter-2' });
    assert.equal((await control('name', { address: second.address, name: 'alice' })).name, 'alice-2');
    assert.equal((await control('name', { address: second.address, name: 'Other' })).name, 'Other');
    assert.equal((await s.post('/control/name', { address: bob, name: 'a b' })).status, 422);
    await control('snapshot', { name: 'kept' });
    await control('restore', { name: 'kept' });
    assert.deepEqual(await names(), { [first.address]: 'Counter', [second.address]: 'Other' });
    await control('reset');
    assert.deepEqual(await names(), {});
  });

  it('gives coins, sends as any contract, and sets balances, code and data', async () => {
    s.chain.mode = { kind: 'automatic', delay: 1_000_000 };
    const before = balance(bob);
    const { trace } = await control('faucet', { address: 'bob', amount: '5000000000' });
    assert.match(trace as string, /^[0-9a-f]{64}$/);
    assert.ok(balance(bob) > before + 4_990_000_000n);
    await control('setAccount', { address: bob, balance: 7 });
    assert.equal(balance(bob), 7n);
    const sent = await control('sendAs', {
      from: s.minter.address.toString(),
      to: alice,
      value: '1000',
      bounce: false,
    });
    const root = s.chain.ledger.transaction(Buffer.from(sent.trace as string, 'hex').toString('base64'));
    assert.equal(root?.inMessage?.source, `0:${s.minter.address.hash.toString('hex').toUpperCase()}`);
  });

  it('moves time forward, and only forward', async () => {
    const { now } = await control('time', { seconds: 1000 });
    assert.equal(now, 1_800_001_000);
    const block = await s.chain.mine();
    assert.equal(block.genUtime, 1_800_001_000);
    const { status } = await s.post('/control/time', { seconds: -5 });
    assert.equal(status, 422);
  });

  it('goes back to a snapshot and to before a trace, in both APIs', async () => {
    await control('snapshot', { name: 'here' });
    const before = balance(alice);
    await mineWith(s.chain, transfer('alice', { seqno: 5, to: bob, value: 1n }));
    assert.notEqual(balance(alice), before);
    await control('restore', { name: 'here' });
    assert.equal(balance(alice), before);
    assert.equal((await s.get(`/api/v3/traces?limit=1`)).body.traces[0].trace_id, s.bounce.hash);
    // The same message can be sent again.
    await mineWith(s.chain, transfer('alice', { seqno: 5, to: bob, value: 1n }));
    await control('restore', { trace: Buffer.from(s.mint.hash, 'base64').toString('hex') });
    assert.equal((await s.get(`/api/v3/jetton/wallets?owner_address=${bob}`)).body.jetton_wallets.length, 0);
    assert.equal((await s.get(`/api/v3/jetton/masters`)).body.jetton_masters[0].total_supply, '0');
    const { status } = await s.post('/control/restore', { name: 'nowhere' });
    assert.equal(status, 422);
    await control('reset');
    assert.equal(s.chain.ledger.last.seqno, 1);
  });

  it('takes over a configuration and runs on it', async () => {
    const { config } = s.chain;
    const boc = defaultNetworkConfig().root.toBoc().toString('base64');
    const { origin, version } = await control('config', { boc, origin: 'a test' });
    assert.deepEqual([origin, version], ['a test', 12]);
    assert.equal(s.chain.config.origin, 'a test');
    assert.notEqual(s.chain.config, config);
    assert.equal((await s.post('/control/config', { boc: 'te6ccgEBAQEAAgAAAA==' })).status, 422);
  });

  it('serves libraries to contracts and get-methods', async () => {
    const code = await compile(
      'fun onInternalMessage(in: InMessage) {}\nget fun answer(): int { return 42 }',
    );
    const library = beginCell().storeUint(2, 8).storeBuffer(code.hash()).endCell({ exotic: true });
    const { address } = await control('deploy', {
      code: library.toBoc().toString('hex'),
      data: Cell.EMPTY.toBoc().toString('hex'),
    });
    await s.chain.mine();
    const raw = (address as string).toUpperCase();
    const run = (): Promise<{ exitCode: number }> => runGetMethod(s.chain, raw, methodIdOf('answer'), []);
    assert.equal((await run()).exitCode, 9);
    const { hash } = await control('library', { boc: code.toBoc().toString('base64') });
    assert.equal(hash, code.hash().toString('hex'));
    assert.equal((await run()).exitCode, 0);
    const { body } = await s.get(`/api/v2/getLibraries?libraries=${hash}`);
    assert.equal(body.result.result[0].data, code.toBoc().toString('base64'));
  });

  it('calls tick-tock accounts of the masterchain on every block', async () => {
    const code = await compile(`
      fun onInternalMessage(in: InMessage) {}
      fun onRunTickTock(isTock: bool) {
        var count = contract.getData().beginParse().loadUint(32);
        contract.setData(beginCell().storeUint(count + 1, 32).endCell());
      }
      get fun count(): int { return contract.getData().beginParse().loadUint(32); }
    `);
    const address = `-1:${'55'.repeat(32)}`;
    await control('setAccount', {
      address,
      balance: '1000000000000',
      code: code.toBoc().toString('base64'),
      data: beginCell().storeUint(0, 32).endCell().toBoc().toString('base64'),
      tick: true,
      tock: true,
    });
    const block = await s.chain.mine();
    assert.deepEqual(
      block.transactions.map(({ account, inMessage }) => [account.address, inMessage]),
      [
        [address, null],
        [address, null],
      ],
    );
    const { stack } = await runGetMethod(s.chain, address, methodIdOf('count'), []);
    assert.deepEqual(stack[0], { type: 'int', value: 2n });
    const { transactions } = (await s.get(`/api/v3/transactions?account=${address}&limit=1`)).body;
    assert.equal(transactions[0].description.type, 'tick_tock');
    assert.equal(transactions[0].block_ref.workchain, -1);
  });

  it('carries extra currencies', async () => {
    await control('setAccount', { address: alice, extraCurrencies: { 100: '12345' } });
    const { accounts } = (await s.get(`/api/v3/accountStates?address=${alice}`)).body;
    assert.deepEqual(accounts[0].extra_currencies, { 100: '12345' });
    const { body } = await s.get(`/api/v2/getAddressInformation?address=${alice}`);
    assert.deepEqual(body.result.extra_currencies, [{ '@type': 'extraCurrency', id: 100, amount: '12345' }]);
  });

  it('makes blocks regularly when asked to', async () => {
    const seqno = s.chain.ledger.last.seqno;
    await control('mode', { mode: 'interval', milliseconds: 10 });
    await new Promise<void>((resolve) => {
      const stop = s.chain.onBlock((block) => {
        if (block.seqno >= seqno + 3) {
          stop();
          resolve();
        }
      });
    });
    await control('mode', { mode: 'manual' });
  });
});
