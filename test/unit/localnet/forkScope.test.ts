import assert from 'node:assert/strict';
import type { FastifyInstance } from 'fastify';
import { defaultNetworkConfig } from '../../../src/toolkit/execution/emulator/networkConfig';
import { createSandboxEmulator } from '../../../src/toolkit/execution/emulator/createSandboxEmulator';
import { absentAccount } from '../../../src/toolkit/execution/emulator/emulator';
import { openChain } from '../../../src/toolkit/localnet/openChain';
import { createServer } from '../../../src/toolkit/localnet/server/createServer';
import { silentLog } from '../../../src/toolkit/base/log';
import type { Scenario } from './support/scenario';
import { scenario } from './support/scenario';
import { addressOnWire } from './support/onWire';
import { addressOf, ManualClock } from './support/testChain';

const bob = addressOf('bob');

interface Listed {
  jetton_wallets: { address: string }[];
  fork_scope?: string;
}

describe("the scope of a fork's answer", () => {
  let origin: Scenario;
  let fork: FastifyInstance;

  before(async () => {
    origin = await scenario();
    const { ledger } = origin.chain;
    const url = 'http://origin/api/v3';
    const { chain } = await openChain({
      emulator: await createSandboxEmulator(),
      config: defaultNetworkConfig(),
      clock: new ManualClock(),
      log: silentLog,
      mode: { kind: 'manual' },
      fork: {
        wish: { network: 'origin', url },
        source: {
          pin: () => {
            const { seqno, genUtime, endLt } = ledger.last;
            const point = { network: 'origin', url, seqno, genUtime, endLt: endLt.toString() };
            return Promise.resolve({ ...point, hasNamedAccounts: true });
          },
          account: (_point, address) => {
            const shardAccount = ledger.accounts.get(address)?.current ?? absentAccount;
            return Promise.resolve({ shardAccount, fidelity: 'exact' });
          },
          library: () => Promise.resolve(undefined),
          config: () => Promise.resolve(undefined),
        },
      },
    });
    fork = await createServer(chain);
  });
  after(async () => {
    await fork.close();
    await origin.server.close();
  });

  const ask = async (path: string): Promise<{ scope: unknown; body: Listed }> => {
    const { statusCode, headers, body } = await fork.inject(`/api/v3${path}`);
    assert.equal(statusCode, 200, body);
    return { scope: headers['x-fork-scope'], body: JSON.parse(body) as Listed };
  };

  it('is stated for a list of what was read so far, which grows', async () => {
    const path = `/jetton/wallets?owner_address=${bob}`;
    const before = await ask(path);
    assert.deepEqual(
      [before.scope, before.body.fork_scope, before.body.jetton_wallets],
      ['read-accounts', 'read-accounts', []],
    );
    const byAddress = await ask(`/jetton/wallets?address=${origin.bobJettons}`);
    assert.deepEqual(
      [byAddress.scope, byAddress.body.fork_scope, byAddress.body.jetton_wallets[0]?.address],
      [undefined, undefined, addressOnWire(origin.bobJettons)],
    );
    assert.equal((await ask(path)).body.jetton_wallets[0]?.address, addressOnWire(origin.bobJettons));
  });

  it('is stated where a history begins with the fork, and not for complete answers', async () => {
    assert.equal((await ask(`/transactions?account=${bob}`)).body.fork_scope, 'own-history');
    assert.equal((await ask('/topAccountsByBalance')).scope, 'read-accounts');
    assert.equal((await ask(`/accountStates?address=${bob}`)).scope, undefined);
    const { headers } = await origin.server.inject(`/api/v3/jetton/wallets?owner_address=${bob}`);
    assert.equal(headers['x-fork-scope'], undefined);
  });
});
