import assert from 'node:assert/strict';
import { beginCell } from '@ton/core';
import { DeployedCodeCache } from '../../../src/toolkit/getMethods/deployedCodeCache';
import type { CodeAccess } from '../../../src/toolkit/getMethods/readDeployedCode';

const raw = `0:${'a1'.repeat(32)}`;
const code = beginCell().storeUint(7, 8).endCell();

describe('codes of deployed contracts', () => {
  let asked: number;
  let now: number;
  let answer: () => Promise<unknown>;
  let access: CodeAccess;
  let cache: DeployedCodeCache;

  beforeEach(() => {
    asked = 0;
    now = 1_000;
    const account = { address: raw, status: 'active', code_boc: code.toBoc().toString('base64') };
    answer = () => Promise.resolve({ accounts: [account] });
    cache = new DeployedCodeCache({ now: () => now });
    access = {
      network: { name: 'N', kind: 'custom', v2: undefined, v3: 'http://n/api/v3', globalId: -239 },
      v2: { getAddressInformation: () => Promise.reject(new Error('over v3 alone')) },
      v3: {
        accountStates: () => {
          asked += 1;
          return answer() as ReturnType<CodeAccess['v3']['accountStates']>;
        },
      },
    };
  });

  it('are requested once in ten seconds, whatever the form of the address', async () => {
    const both = await Promise.all([
      cache.read(access, raw, 'user'),
      cache.read(access, raw.toUpperCase(), 'user'),
    ]);
    assert.deepEqual(
      both.map(({ codeHash }) => codeHash),
      [code.hash().toString('hex'), code.hash().toString('hex')],
    );
    now += 9_999;
    await cache.read(access, raw, 'user');
    assert.equal(asked, 1);
    now += 2;
    await cache.read(access, raw, 'user');
    assert.equal(asked, 2);
  });

  it('are requested again for a user while a watch is still waiting', async () => {
    const usual = answer;
    let end: (value: unknown) => void = () => undefined;
    answer = () => new Promise((resolve) => (end = resolve));
    const watched = cache.read(access, raw, 'background');
    answer = usual;
    const wanted = await cache.read(access, raw, 'user');
    assert.equal(wanted.codeHash, code.hash().toString('hex'));
    assert.equal(asked, 2);
    end(await usual());
    await watched;
  });

  it('are requested again after a failure', async () => {
    const usual = answer;
    answer = () => Promise.reject(new Error('not now'));
    await assert.rejects(cache.read(access, raw, 'user'));
    answer = usual;
    assert.equal((await cache.read(access, raw, 'user')).codeHash, code.hash().toString('hex'));
  });
});
