/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-member-access, typescript/no-unsafe-argument -- answers are JSON, judged field by field */
import assert from 'node:assert/strict';
import { Cell, beginCell } from '@ton/core';
import type { RejectedMessageError } from '../../../src/toolkit/localnet/chain/inboundMessage';
import type { Answer, Scenario } from './support/scenario';
import { readDestination } from '../../../src/toolkit/send/preparedSend';
import { scenario } from './support/scenario';
import { addressOf, transfer } from './support/testChain';

describe('time, single parameters and the front page of the local network', () => {
  let s: Scenario;
  beforeEach(async () => {
    s = await scenario();
  });
  afterEach(() => s.server.close());

  const control = (name: string, body: object): Promise<{ status: number; body: Answer }> =>
    s.post(`/control/${name}`, body);

  it('sets an exact time and returns, as long as no block is later', async () => {
    const wall = s.chain.now();
    const there = await control('time', { at: wall + 5_000 });
    assert.deepEqual([there.body.now, there.body.ahead], [wall + 5_000, 5_000]);
    assert.match(there.body.note, /valid_until.*exit code 35, 36 or 136/);
    assert.deepEqual((await control('time', { at: wall + 100 })).body.now, wall + 100);
    assert.deepEqual((await control('time', {})).body, { now: wall, ahead: 0 });
    await control('time', { seconds: 1_000 });
    const { seqno } = s.chain.ledger.last;
    await s.chain.mine();
    const refused = await control('time', { at: wall + 10 });
    assert.equal(refused.status, 422);
    assert.equal(refused.body.code, 'localnet-time-out-of-range');
    assert.match(refused.body.error, new RegExp(`control/restore to block ${seqno}\\b`));
    await control('restore', { seqno });
    assert.equal((await control('time', { at: wall + 10 })).body.now, wall + 10);
  });

  it('tells what signing takes: the state as v2 has it, and how far the clock is ahead', async () => {
    await control('time', { seconds: 3_600 });
    const { body } = await s.get(`/control/signingState?address=${addressOf('alice')}`);
    const v2 = await s.get(`/api/v2/getShardAccountCell?address=${addressOf('alice')}`);
    assert.ok(Cell.fromBase64(body.account).equals(Cell.fromBase64(v2.body.result.bytes)));
    assert.equal(body.ahead, 3_600);
    const unused = await s.get(`/control/signingState?address=0:${'1'.repeat(64)}`);
    assert.equal(readDestination(unused.body.account).status, 'nonexist');
  });

  it('do not ignore a misspelled parameter: nothing changes', async () => {
    await control('time', { seconds: 3_600 });
    const { status, body } = await control('time', { second: 1 });
    assert.equal(status, 422);
    assert.equal(body.error, '"second" is not a parameter of this command, which takes seconds, at');
    assert.equal(s.chain.ahead, 3_600);
    assert.equal((await s.get('/control/status')).body.ahead, 3_600);
    const { seqno } = s.chain.ledger.last;
    assert.equal((await control('mine', { block: 2 })).status, 422);
    assert.equal(s.chain.ledger.last.seqno, seqno);
    assert.equal((await control('faults', { latncy: 500 })).status, 422);
  });

  it('never pass the last second that a block can have', async () => {
    for (const body of [{ seconds: 3e9 }, { at: 2 ** 32 }, { at: 2 ** 40 }]) {
      const { status, body: answer } = await control('time', body);
      assert.equal(status, 422, JSON.stringify(body));
      assert.equal(answer.code, 'localnet-time-out-of-range');
    }
    const { body } = await control('time', { at: 2 ** 32 - 2 });
    assert.equal(body.now, 2 ** 32 - 2);
    await s.chain.mine();
    assert.equal((await control('faucet', { address: 'bob', amount: '5' })).status, 200);
    const seqno = await s.get(`/api/v2/runGetMethod?address=${addressOf('bob')}&method=seqno&stack=[]`);
    assert.notEqual(seqno.status, 500);
  });

  it('say why wallets refuse messages if the clock is ahead', async () => {
    await control('time', { seconds: 300_000_000 });
    const late = transfer('bob', { seqno: 0, to: addressOf('alice'), value: 1n });
    await assert.rejects(s.chain.submit(late), ({ reason, exitCode }: RejectedMessageError) => {
      assert.equal(exitCode, 36);
      assert.match(reason, /clock of this local network is 300000000 s ahead/);
      return true;
    });
  });

  it('set one parameter of the configuration, repeatedly', async () => {
    const others = new Map(s.chain.config.parameters);
    for (const version of [11, 10, 11]) {
      const value = beginCell().storeUint(0xc4, 8).storeUint(version, 32).storeUint(0x1ee, 64).endCell();
      const { status, body } = await control('config', { param: 8, value: value.toBoc().toString('base64') });
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(s.chain.config.version, version);
      const { body: answer } = await s.get('/api/v2/getConfigParam?config_id=8');
      assert.equal(answer.result.config.bytes, value.toBoc().toString('base64'));
    }
    for (const [id, cell] of others) {
      assert.ok(id === 8 || s.chain.config.parameters.get(id)?.equals(cell), `parameter ${id}`);
    }
    assert.equal((await control('config', { param: 8 })).status, 422);
    assert.equal((await control('config', { param: 2 ** 31, value: 'te6ccgEBAQEAAgAAAA==' })).status, 422);
  });

  it('says where its configuration comes from, and which parameters were set since', async () => {
    const parameter = (id: number): string => s.chain.config.parameters.get(id)!.toBoc().toString('base64');
    // The user's own text, and one that earlier versions wrote: neither is parsed.
    const own = 'mine; parameter 8 set (0123abcd)';
    const boc = s.chain.config.base64;
    assert.equal((await control('config', { boc, origin: own })).body.origin, own);
    for (const [param, set] of [
      [20, 'parameter 20'],
      [21, 'parameters 20, 21'],
      [20, 'parameters 20, 21'],
    ] as const) {
      const { body } = await control('config', { param, value: parameter(param) });
      const words = `${own}; ${set} set (${s.chain.config.root.hash().toString('hex').slice(0, 8)})`;
      assert.equal(body.origin, words);
      assert.equal((await s.get('/control/status')).body.configOrigin, words);
    }
    assert.equal((await control('config', { boc, origin: 'imported' })).body.origin, 'imported');
  });

  it('refuse a parameter or a configuration with which the engine can run nothing', async () => {
    const junk = beginCell().storeUint(0, 8).endCell().toBoc().toString('base64');
    const { config } = s.chain;
    const { seqno } = s.chain.ledger.last;
    let refusals = 0;
    for (const param of [8, 18, 20, 21, 24, 25, 43]) {
      const { status, body } = await control('config', { param, value: junk });
      if (status === 422) {
        refusals += Number(/^value does not fit param: no transaction can run under it/.test(body.error));
        assert.match(body.error, /^value does not fit param: /);
        assert.equal(s.chain.config, config);
        assert.equal(s.chain.ledger.last.seqno, seqno);
      } else {
        // What the engine takes, it also runs under.
        assert.equal(status, 200);
        await control('restore', { seqno });
        s.chain.configure({ config: { boc: config.base64, origin: config.origin } });
      }
    }
    assert.ok(refusals >= 5, `${refusals}`);
    const { status } = await control('config', {
      boc: beginCell().storeUint(1, 8).endCell().toBoc().toString('base64'),
    });
    assert.equal(status, 422);
    assert.equal((await control('faucet', { address: 'bob', amount: '5' })).status, 200);
    await s.chain.mine();
    assert.equal(s.chain.ledger.failed.size, 0);
  });

  it('show people a page, and programs JSON', async () => {
    for (const url of ['/', '/api/v2', '/api/v2/', '/api/v3', '/api/v3/']) {
      const page = await s.server.inject({ url, headers: { accept: 'text/html,*/*' } });
      assert.equal(page.statusCode, 200, url);
      assert.match(page.body, /alice/);
      assert.doesNotMatch(page.body, /<script|https?:\/\//);
      assert.match(String(page.headers['content-security-policy']), /default-src 'none'/);
      const program = await s.server.inject({ url });
      assert.match(String(program.headers['content-type']), /application\/json/);
      JSON.parse(program.body);
    }
  });
});
