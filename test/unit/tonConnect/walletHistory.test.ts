import { Address } from '@ton/core';
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { limits } from '../../../src/toolkit/base/limits';
import type { LocalChain } from '../../../src/toolkit/localnet/chain/localChain';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { silentLog } from '../../../src/toolkit/base/log';
import { systemClock } from '../../../src/toolkit/base/time';
import type { Approval } from '../../../src/toolkit/tonConnect/protocol';
import { TestWallet } from '../../../src/toolkit/tonConnect/testWallet';
import type { WalletAnswer } from '../../../src/toolkit/tonConnect/walletBook';
import { WalletJournal } from '../../../src/toolkit/tonConnect/walletJournal';
import { HastyClock } from '../../support/hastyClock';
import { until } from '../../support/until';
import { testChain } from '../localnet/support/testChain';
import { FakeDApp } from './support/fakeDApp';
import { fakeNetwork } from './support/fakeNetwork';
import type { FakeNetwork } from './support/fakeNetwork';

const bob = namedAccounts[1]!;
const payment = {
  messages: [{ address: Address.parse(bob.address).toString({ bounceable: false }), amount: '7' }],
};
const text = { type: 'text', text: 'again' };

describe('what a test wallet did before', () => {
  let folder: string;
  let chain: LocalChain;
  let network: FakeNetwork;
  let wallet: TestWallet;
  let dApp: FakeDApp;

  const open = async (approval: Approval, now?: () => number): Promise<void> => {
    const clock = new HastyClock();
    const journal = await WalletJournal.open(folder, silentLog);
    wallet = new TestWallet({
      ...{ network, journal, account: 'alice', approval, version: '1.2.3' },
      ...{ clock: now === undefined ? clock : { ...clock, now }, log: silentLog },
    });
  };
  const reopen = async (): Promise<void> => {
    await wallet.close();
    await open('all');
    dApp.listen(wallet);
  };
  const answer = (): Promise<WalletAnswer> =>
    new Promise((resolve) => {
      const stop = wallet.onEvent((event) => {
        if (event.type === 'answer') {
          stop();
          resolve(event.answer);
        }
      });
    });
  const connect = async (app: FakeDApp): Promise<void> => {
    app.listen(wallet);
    const answered = answer();
    await app.connect(wallet);
    await answered;
  };
  const pay = (more: object = {}): Promise<WalletAnswer> => {
    const answered = answer();
    dApp.send(wallet, 'sendTransaction', { ...payment, ...more });
    return answered;
  };
  const signMany = async (app: FakeDApp, count: number): Promise<void> => {
    for (let done = 0; done < count; done += 1) {
      const answered = answer();
      assert.equal(app.send(wallet, 'signData', text), 'taken');
      await answered;
    }
  };

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-wallet-'));
    chain = await testChain();
    network = fakeNetwork(chain);
    dApp = new FakeDApp();
    await open('all');
    await connect(dApp);
  });
  afterEach(async () => {
    await wallet.close();
    await rm(folder, { recursive: true, force: true });
  });

  describe('while its last message waits for a block', () => {
    beforeEach(() => {
      network.send = async (message) => {
        network.sent.push(message.hashNorm);
        await chain.submit(message.cell.toBoc());
        return { state: 'sent', hash: message.hashNorm };
      };
    });
    const received = (): number => chain.ledger.accounts.get(bob.address)?.transactions.length ?? 0;

    for (const [when, between] of [
      ['', (): Promise<void> => Promise.resolve()],
      [', also after a restart', reopen],
    ] as const) {
      it(`signs no second one with its seqno${when}`, async () => {
        const before = received();
        await pay();
        await between();
        let looks = 0;
        const signingState = network.signingState.bind(network);
        network.signingState = (address) => {
          looks += 1;
          return signingState(address);
        };
        const answered = pay();
        // It has looked at the account, and waits.
        await until(() => looks > 2, 'it looks again');
        assert.equal(network.sent.length, 1);
        await chain.mine();
        assert.equal((await answered).error, undefined);
        await chain.mine();
        assert.equal(new Set(network.sent).size, 2);
        assert.equal(received() - before, 2);
      });
    }

    it('rehearses the next one after it, or says that it waits', async () => {
      await pay();
      const seqnos: (number | undefined)[] = [];
      network.rehearse = (message) => {
        seqnos.push(message.signed?.seqno);
        return Promise.resolve(
          new WorkbenchError({ code: 'rehearsal-failed', kind: 'failed', message: 'here' }),
        );
      };
      const problem = (): Promise<string | undefined> =>
        new Promise((resolve) => {
          const stop = wallet.onEvent((event) => {
            if (event.type === 'request') {
              stop();
              resolve(WorkbenchError.is(event.rehearsed) ? event.rehearsed.message : undefined);
            }
          });
        });
      wallet.setApproval(dApp.session, 'ask');
      const shown = problem();
      dApp.send(wallet, 'sendTransaction', payment);
      assert.match((await shown) ?? '', /^The last message of alice still waits for a block/);
      await chain.mine();
      const next = problem();
      dApp.send(wallet, 'sendTransaction', payment);
      assert.equal(await next, 'here');
      assert.deepEqual(seqnos, [1]);
    });

    it('signs again once the network has dropped it', async () => {
      await pay();
      await chain.dropPending();
      const { hash } = await pay();
      await chain.mine();
      assert.ok(chain.ledger.messages(hash ?? '').length > 0);
    });

    it('says so before the request expires, and sends nothing', async () => {
      await pay();
      const { error } = await pay({ valid_until: Math.floor(Date.now() / 1000) + 2 });
      assert.equal(error?.code, 0);
      assert.match(error?.message ?? '', /^The last message of alice still waits for a block/);
      assert.equal(network.sent.length, 1);
    });
  });

  it('answers no message again, however many others came since, also after a restart', async () => {
    const first = dApp.message('signData', [JSON.stringify(text)]);
    const answered = answer();
    dApp.post(wallet, first);
    await answered;
    await signMany(dApp, limits.walletQueue.most - 1);
    const other = new FakeDApp();
    await connect(other);
    await signMany(other, limits.walletQueue.most + 1);
    const heard = dApp.heard.length;
    assert.equal(dApp.post(wallet, first), 'taken');
    await reopen();
    assert.equal(dApp.post(wallet, first), 'taken');
    await signMany(dApp, 1);
    // By now only the greatest ids are remembered: an id that is far below them is not answered either.
    assert.equal(dApp.post(wallet, dApp.message('signData', [JSON.stringify(text)], '0')), 'taken');
    // What comes after it is answered after it.
    await signMany(dApp, 1);
    assert.equal(dApp.heard.length, heard + 2);
  });

  it('counts nothing as waiting that a dApp has heard before a restart', async () => {
    await signMany(dApp, limits.walletQueue.most);
    await reopen();
    assert.equal(wallet.bridge.waiting(dApp.app), 0);
    await signMany(dApp, 1);
  });

  it('makes room for a dApp where connections were asked for and never decided', async () => {
    let now = systemClock.now();
    await wallet.close();
    await open('ask', () => now);
    dApp.listen(wallet);
    while (wallet.sessions.length < limits.walletSessions.most) {
      await new FakeDApp().connect(wallet);
    }
    await assert.rejects(new FakeDApp().connect(wallet), { code: 'wallet-full' });
    now += limits.walletLifetime.most * 1000 + 1;
    await new FakeDApp().connect(wallet);
    assert.equal(wallet.sessions.length, limits.walletSessions.most);
    assert.equal(wallet.sessions.filter(({ state }) => state === 'connected').length, 1);
  });
});
