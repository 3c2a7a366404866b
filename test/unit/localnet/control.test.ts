import assert from 'node:assert/strict';
import { beginCell, Cell, contractAddress } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { defaultNetworkConfig } from '../../../src/toolkit/execution/emulator/networkConfig';
import { executeGetMethod } from '../../../src/toolkit/localnet/chain/executeGetMethod';
import { methodIdOf } from '../../../src/toolkit/contracts/abi/methodIdOf';
import type { Scenario } from './support/scenario';
import { SteppedClock } from '../../support/steppedClock';
import { until } from '../../support/until';
import { scenario } from './support/scenario';
import { hashOnWire } from './support/onWire';
import { addressOf, mineWith, transfer } from './support/testChain';

const [alice, bob] = ['alice', 'bob'].map(addressOf) as [string, string];

async function compile(source: string): Promise<Cell> {
  const compiled = await runTolkCompiler({ entrypointFileName: 'main.tolk', fsReadCallback: () => source });
  assert.equal(compiled.status, 'ok', JSON.stringify(compiled));
  return Cell.fromBase64((compiled as { codeBoc64: string }).codeBoc64);
}

describe('the control API of the local network', () => {
  let s: Scenario;
  beforeEach(async () => {
    s = await scenario();
  });
  afterEach(() => s.server.close());

  const control = async <Body = unknown>(name: string, body: unknown = {}): Promise<Body> => {
    const { status, body: answer } = await s.post<Body>(`/control/${name}`, body);
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

  it('remembers contract names, with the chain and until it is reset', async () => {
    const code = await compile('fun onInternalMessage(in: InMessage) {}');
    const deploy = (salt: number, name: string): Promise<{ address: string; name: string }> => {
      const data = beginCell().storeUint(salt, 8).endCell();
      return control('deploy', {
        code: code.toBoc().toString('base64'),
        data: data.toBoc().toString('base64'),
        name,
      });
    };
    const names = async (): Promise<Record<string, string>> => {
      const { body } = await s.get<{ names: Record<string, string> }>('/control/status');
      return body.names;
    };
    const first = await deploy(1, 'Counter');
    const second = await deploy(2, 'Counter');
    assert.equal(second.name, 'Counter-2');
    assert.deepEqual(await names(), { [first.address]: 'Counter', [second.address]: 'Counter-2' });
    const rename = (name: string): Promise<{ name: string }> =>
      control('name', { address: second.address, name });
    assert.equal((await rename('alice')).name, 'alice-2');
    assert.equal((await rename('Other')).name, 'Other');
    assert.equal((await s.post('/control/name', { address: bob, name: 'a b' })).status, 422);
    await control('snapshot', { name: 'kept' });
    await control('restore', { name: 'kept' });
    assert.deepEqual(await names(), { [first.address]: 'Counter', [second.address]: 'Other' });
    const late = await deploy(9, 'Late');
    await s.chain.mine();
    assert.equal((await names())[late.address], 'Late');
    await control('restore', { name: 'kept' });
    // Its deployment was undone, so there is nothing with this name.
    assert.deepEqual(await names(), { [first.address]: 'Counter', [second.address]: 'Other' });
    await control('reset');
    assert.deepEqual(await names(), {});
  });

  it('lists contracts with their codes, whoever has deployed them, and no wallets', async () => {
    interface Listed {
      address: string;
      codeHash: string;
    }
    const list = async (): Promise<Listed[]> => (await s.get<Listed[]>('/control/contracts')).body;
    const before = await list();
    const code = await compile('fun onInternalMessage(in: InMessage) {}');
    const data = beginCell().storeUint(1, 8).endCell().toBoc().toString('base64');
    const boc = code.toBoc().toString('base64');
    // As another contract does it: by a message with a state init.
    const address = contractAddress(0, { code, data: Cell.fromBase64(data) }).toRawString();
    await control('sendAs', {
      from: s.minter.address.toString(),
      to: address,
      value: '100000000',
      code: boc,
      data,
    });
    await s.chain.mine();
    await s.chain.mine();
    const after = await list();
    assert.deepEqual(
      after.filter((one) => before.every((old) => old.address !== one.address)),
      [{ address, codeHash: code.hash().toString('hex') }],
    );
    const wallets = (await s.get<{ address: string }[]>('/control/accounts')).body.map((one) => one.address);
    assert.ok(after.every((one) => !wallets.includes(one.address)));
  });

  it('gives coins, sends as any contract, and sets balances, code, and data', async () => {
    s.chain.mode = { kind: 'automatic', delay: 1_000_000 };
    const before = balance(bob);
    const { trace } = await control<{ trace: string }>('faucet', { address: 'bob', amount: '5000000000' });
    assert.match(trace, /^[0-9a-f]{64}$/);
    assert.ok(balance(bob) > before + 4_990_000_000n);
    await control('setAccount', { address: bob, balance: 7 });
    assert.equal(balance(bob), 7n);
    const sent = await control<{ trace: string }>('sendAs', {
      from: s.minter.address.toString(),
      to: alice,
      value: '1000',
      bounce: false,
    });
    const root = s.chain.ledger.transaction(sent.trace);
    assert.equal(root?.inMessage?.source, s.minter.address.toRawString());
  });

  it('moves time forward, and only forward', async () => {
    const { now } = await control<{ now: number }>('time', { seconds: 1000 });
    assert.equal(now, 1_800_001_000);
    const block = await s.chain.mine();
    assert.equal(block.genUtime, 1_800_001_000);
    const { status } = await s.post('/control/time', { seconds: -5 });
    assert.equal(status, 422);
  });

  it('undoes a return to before a trace: everything is as it was, and can be undone again', async () => {
    const seen = async (): Promise<unknown> => {
      const [traces, alices, status] = await Promise.all([
        s.get('/api/v3/traces?limit=100&sort=asc'),
        s.get(`/api/v3/accountStates?address=${alice}`),
        s.get<{ names: unknown; seqno: number }>('/control/status'),
      ]);
      return [traces.body, alices.body, status.body.names, status.body.seqno];
    };
    const named = await control<{ address: string }>('deploy', {
      code: beginCell().storeUint(7, 8).endCell().toBoc().toString('base64'),
      data: beginCell().endCell().toBoc().toString('base64'),
      name: 'Late',
    });
    await mineWith(s.chain, transfer('alice', { seqno: 5, to: bob, value: 1n }));
    await control('setAccount', { address: bob, balance: '7000000000' });
    const before = await seen();
    const preview = await s.get<{
      traces: number;
      newest: string[];
      edited: string[];
      blocks: number;
      seqno: number;
    }>(`/control/restorePreview?trace=${s.mint.hash}`);
    assert.deepEqual(preview.body.edited, [bob], 'what was set by hand is undone too, and is no trace');
    const first = await control<{ seqno: number; undo: number }>('restore', {
      trace: s.mint.hash,
      keep: true,
    });
    assert.equal(first.seqno, preview.body.seqno);
    assert.equal(preview.body.newest.length, preview.body.traces);
    assert.equal(preview.body.newest.at(-1), s.mint.hash);
    assert.notDeepEqual(await seen(), before);
    assert.equal(s.chain.settings.names?.[named.address], undefined);
    // What happens instead can be undone, too, and is itself undone by the first undo.
    await control('faucet', { address: 'bob', amount: '5' });
    await s.chain.mine();
    const instead = await seen();
    const second = await control<{ undo: number }>('restore', { seqno: first.seqno, keep: true });
    await control('undoRestore', { undo: second.undo });
    assert.deepEqual(await seen(), instead);
    assert.equal((await s.post('/control/undoRestore', { undo: second.undo })).status, 422);
    await control('undoRestore', { undo: first.undo });
    assert.deepEqual(await seen(), before);
    // The chain goes on from there.
    await mineWith(s.chain, transfer('alice', { seqno: 6, to: bob, value: 1n }));
    assert.equal((await s.post('/control/undoRestore', { undo: first.undo })).status, 422);
  });

  it('forgets what it could bring back when the chain goes back further, or starts over', async () => {
    const { undo, seqno } = await control<{ undo: number; seqno: number }>('restore', {
      trace: s.mint.hash,
      keep: true,
    });
    await control('restore', { seqno: seqno - 1 });
    assert.equal((await s.post('/control/undoRestore', { undo })).status, 422);
    const again = await control<{ undo: number }>('restore', { seqno: 1, keep: true });
    await control('reset');
    assert.equal((await s.post('/control/undoRestore', { undo: again.undo })).status, 422);
    const plain = await control<{ undo?: number }>('restore', { seqno: 1 });
    assert.equal(plain.undo, undefined);
  });

  it('returns to a snapshot and to before a trace, in both APIs', async () => {
    await control('snapshot', { name: 'here' });
    const before = balance(alice);
    await mineWith(s.chain, transfer('alice', { seqno: 5, to: bob, value: 1n }));
    assert.notEqual(balance(alice), before);
    await control('restore', { name: 'here' });
    assert.equal(balance(alice), before);
    const newest = await s.get<{ traces: { trace_id: string }[] }>('/api/v3/traces?limit=1');
    assert.equal(newest.body.traces[0]?.trace_id, hashOnWire(s.bounce.hash));
    // The same message can be sent again.
    await mineWith(s.chain, transfer('alice', { seqno: 5, to: bob, value: 1n }));
    await control('restore', { trace: s.mint.hash });
    const wallets = await s.get<{ jetton_wallets: unknown[] }>(`/api/v3/jetton/wallets?owner_address=${bob}`);
    assert.equal(wallets.body.jetton_wallets.length, 0);
    const masters = await s.get<{ jetton_masters: { total_supply: string }[] }>('/api/v3/jetton/masters');
    assert.equal(masters.body.jetton_masters[0]?.total_supply, '0');
    const { status } = await s.post('/control/restore', { name: 'nowhere' });
    assert.equal(status, 422);
    await control('reset');
    assert.equal(s.chain.ledger.last.seqno, 1);
  });

  it('adopts a configuration and runs on it', async () => {
    const { config } = s.chain;
    const boc = defaultNetworkConfig().root.toBoc().toString('base64');
    const { origin, version } = await control<{ origin: string; version: number }>('config', {
      boc,
      origin: 'a test',
    });
    assert.deepEqual([origin, version], ['a test', 12]);
    assert.equal(s.chain.config.origin, 'a test');
    assert.notEqual(s.chain.config, config);
    assert.equal((await s.post('/control/config', { boc: 'te6ccgEBAQEAAgAAAA==' })).status, 422);
  });

  it('provides libraries to contracts and get-methods', async () => {
    const code = await compile(
      'fun onInternalMessage(in: InMessage) {}\nget fun answer(): int { return 42 }',
    );
    const library = beginCell().storeUint(2, 8).storeBuffer(code.hash()).endCell({ exotic: true });
    const { address } = await control<{ address: string }>('deploy', {
      code: library.toBoc().toString('hex'),
      data: Cell.EMPTY.toBoc().toString('hex'),
    });
    await s.chain.mine();
    const raw = address;
    const run = (): Promise<{ exitCode: number }> => executeGetMethod(s.chain, raw, methodIdOf('answer'), []);
    assert.equal((await run()).exitCode, 9);
    const { hash } = await control<{ hash: string }>('library', { boc: code.toBoc().toString('base64') });
    assert.equal(hash, code.hash().toString('hex'));
    assert.equal((await run()).exitCode, 0);
    const { body } = await s.get<{ result: { result: { data: string }[] } }>(
      `/api/v2/getLibraries?libraries=${hash}`,
    );
    assert.equal(body.result.result[0]?.data, code.toBoc().toString('base64'));
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
    const { stack } = await executeGetMethod(s.chain, address, methodIdOf('count'), []);
    assert.deepEqual(stack[0], { type: 'int', value: 2n });
    const { body } = await s.get<{
      transactions: { description: { type: string }; block_ref: { workchain: number } }[];
    }>(`/api/v3/transactions?account=${address}&limit=1`);
    assert.equal(body.transactions[0]?.description.type, 'tick_tock');
    assert.equal(body.transactions[0].block_ref.workchain, -1);
  });

  it('carries extra currencies', async () => {
    await control('setAccount', { address: alice, extraCurrencies: { 100: '12345' } });
    const states = await s.get<{ accounts: { extra_currencies: unknown }[] }>(
      `/api/v3/accountStates?address=${alice}`,
    );
    assert.deepEqual(states.body.accounts[0]?.extra_currencies, { 100: '12345' });
    const { body } = await s.get<{ result: { extra_currencies: unknown } }>(
      `/api/v2/getAddressInformation?address=${alice}`,
    );
    assert.deepEqual(body.result.extra_currencies, [{ '@type': 'extraCurrency', id: 100, amount: '12345' }]);
  });

  it('makes blocks at an interval if asked to', async () => {
    const clock = new SteppedClock();
    await s.server.close();
    s = await scenario(clock);
    const first = s.chain.ledger.last.seqno;
    const made = (): number => s.chain.ledger.last.seqno - first;
    await control('mode', { mode: 'interval', milliseconds: 60_000 });
    for (const blocks of [1, 2, 3]) {
      clock.advance(59_999);
      await s.get('/control/status');
      assert.equal(made(), blocks - 1, 'not earlier');
      clock.advance(1);
      await until(() => made() === blocks, `block ${blocks}`);
    }
    await control('mode', { mode: 'manual' });
    clock.advance(180_000);
    assert.equal(made(), 3);
  });
});
