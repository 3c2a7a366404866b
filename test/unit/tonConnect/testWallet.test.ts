import { Address } from '@ton/core';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { limits } from '../../../src/toolkit/base/limits';
import { silentLog } from '../../../src/toolkit/base/log';
import { systemClock } from '../../../src/toolkit/base/time';
import type { Clock } from '../../../src/toolkit/base/time';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';
import type { Approval, WalletVerdict } from '../../../src/toolkit/tonConnect/protocol';
import { stageWords } from '../../../src/toolkit/tonConnect/stageWords';
import { TestWallet } from '../../../src/toolkit/tonConnect/testWallet';
import type { WalletEvent } from '../../../src/toolkit/tonConnect/walletEvent';
import { WalletJournal } from '../../../src/toolkit/tonConnect/walletJournal';
import { until } from '../../support/until';
import { testChain } from '../localnet/support/testChain';
import { FakeDApp } from './support/fakeDApp';
import { fakeNetwork } from './support/fakeNetwork';
import type { FakeNetwork } from './support/fakeNetwork';

const [alice, bob] = namedAccounts;
const payment = {
  valid_until: Math.floor(Date.now() / 1000) + 3_600,
  network: '-239',
  messages: [{ address: Address.parse(bob!.address).toString({ bounceable: false }), amount: '7' }],
};

describe('the test wallet', () => {
  let folder: string;
  let network: FakeNetwork;
  let wallet: TestWallet;
  let dApp: FakeDApp;

  const open = async (
    approval: Approval,
    script: WalletVerdict[] = [],
    fetchText = (): Promise<string> => Promise.reject(new Error('nothing is fetched here')),
    clock: Clock = systemClock,
  ): Promise<TestWallet> => {
    const journal = await WalletJournal.open(folder, silentLog);
    wallet = new TestWallet({
      ...{ network, journal, account: 'alice', approval, script, version: '1.2.3' },
      ...{ clock, log: silentLog },
      fetchText,
    });
    return wallet;
  };
  /** Resolves with the first event that fits, from now on. */
  const event = <Type extends WalletEvent['type']>(
    type: Type,
  ): Promise<Extract<WalletEvent, { type: Type }>> =>
    new Promise((resolve) => {
      const stop = wallet.onEvent((told) => {
        if (told.type === type) {
          stop();
          resolve(told as Extract<WalletEvent, { type: Type }>);
        }
      });
    });
  const connect = async (): Promise<void> => {
    dApp.listen(wallet);
    const answered = event('answer');
    await dApp.connect(wallet);
    await answered;
  };

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-wallet-'));
    network = fakeNetwork(await testChain());
    dApp = new FakeDApp();
  });
  afterEach(async () => {
    await wallet.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('does not tell a connection as done whose page listens somewhere else', async () => {
    // Nobody waits in a test for a page that never comes.
    const clock = { ...systemClock, after: (_: number, work: () => void) => systemClock.after(0, work) };
    await open('all', [], undefined, clock);
    const answered = event('answer');
    await dApp.connect(wallet);
    const { answer } = await answered;
    assert.equal(answer.isUnheard, true);
    const words = stageWords({ kind: 'answered', answer }) ?? '';
    assert.match(
      words,
      /^Approve: not done yet, because no page with this id listens on this wallet's bridge/,
    );
    assert.match(words, /Add this wallet's entry/);
    assert.doesNotMatch(words, /Carried out/);
    // It may still come: then it gets the answer.
    dApp.listen(wallet);
    assert.equal(dApp.heard[0]?.event, 'connect');
  });

  it('waits a moment for the page to listen, which opens its stream while it shows the link', async () => {
    await open('all');
    const answered = event('answer');
    await dApp.connect(wallet);
    dApp.listen(wallet);
    assert.equal((await answered).answer.isUnheard, undefined);
  });

  it('connects, pays, and answers with the message that was sent', async () => {
    await open('all');
    await connect();
    assert.equal(dApp.heard[0]?.event, 'connect');
    const answered = event('answer');
    assert.equal(dApp.send(wallet, 'sendTransaction', payment), 'taken');
    const { answer } = await answered;
    assert.equal(answer.hash, network.sent[0]);
    assert.equal(network.sent.length, 1);
    assert.deepEqual(dApp.heard[1], { id: '0', result: answer.result });
  });

  const verdicts: [WalletVerdict, number | 'result' | 'nothing', number][] = [
    [{ decision: 'approve' }, 'result', 1],
    [{ decision: 'reject' }, 300, 0],
    [{ decision: 'approve-lose-answer' }, 'nothing', 1],
    [{ decision: 'answer-late', seconds: 0.2 }, 'result', 1],
    [{ decision: 'answer-twice' }, 'result', 1],
    [{ decision: 'wrong-network' }, 1, 0],
    [{ decision: 'connect-only' }, 300, 0],
  ];
  for (const [verdict, expected, sent] of verdicts) {
    it(`carries out ${verdict.decision}`, async () => {
      await open('ask', [{ decision: 'approve' }, verdict]);
      await connect();
      const answered = event('answer');
      const began = Date.now();
      dApp.send(wallet, 'sendTransaction', payment);
      const { answer } = await answered;
      assert.equal(network.sent.length, sent);
      assert.equal(answer.decision, verdict.decision);
      const [, heard] = dApp.heard;
      assert.equal(heard === undefined ? 'nothing' : (heard.error?.code ?? 'result'), expected);
      assert.equal(
        dApp.heard.length - 1,
        { 'approve-lose-answer': 0, 'answer-twice': 2 }[verdict.decision as string] ?? 1,
      );
      assert.ok(Date.now() - began >= (verdict.seconds ?? 0) * 1000);
    });

    it(`signs for a relayer with ${verdict.decision}`, async () => {
      await open('ask', [{ decision: 'approve' }, verdict]);
      await connect();
      const answered = event('answer');
      dApp.send(wallet, 'signMessage', payment);
      const { answer } = await answered;
      assert.deepEqual(network.sent, [], 'nothing is sent');
      const heard = dApp.heard.slice(1).map(({ error, result }) => error?.code ?? typeof result);
      const one = expected === 'result' ? 'object' : expected;
      assert.deepEqual(
        heard,
        one === 'nothing' ? [] : verdict.decision === 'answer-twice' ? [one, one] : [one],
      );
      const relayed = wallet.relay(answer.number, 'submit-twice');
      if (sent === 0) {
        await assert.rejects(relayed, { code: 'wallet-not-signed' });
      } else {
        assert.deepEqual(
          (await relayed).outcomes.map(({ accepted }) => accepted),
          [true, false],
        );
        assert.equal(wallet.sessions.length, 1);
      }
    });
  }

  it('gives out the same signature after a kill, and signs nothing twice', async () => {
    await open('ask', [{ decision: 'approve' }, { decision: 'answer-late', seconds: 60 }]);
    await connect();
    const journal = path.join(folder, 'wallet.log');
    dApp.send(wallet, 'signMessage', payment);
    const signatures = async (): Promise<string[]> =>
      [...(await readFile(journal, 'latin1')).matchAll(/"type":"signed","number":2,"boc":"([^"]+)"/g)].map(
        ([, boc]) => boc!,
      );
    await until(async () => (await signatures()).length > 0, 'it is signed');
    await wallet.close();
    await open('ask', [], undefined, { ...systemClock, now: () => Date.now() + 61_000 });
    dApp.listen(wallet);
    const answered = event('answer');
    wallet.resume();
    const { answer } = await answered;
    const [first, ...more] = await signatures();
    assert.deepEqual([answer.result, more], [{ internalBoc: first }, []]);
    await wallet.relay(answer.number, 'submit');
    await wallet.close();
    await open('ask');
    const words = stageWords({
      kind: 'answered',
      answer: (await wallet.relay(answer.number, 'let-expire'), answer),
    });
    assert.match(words ?? '', /Carried out \(Answer Late\)/);
  });

  it('tells a connection of another network when told to, and then sends nothing', async () => {
    await open('ask', [{ decision: 'wrong-network' }]);
    await connect();
    assert.equal(dApp.heard[0]?.payload?.items?.[0]?.network, '-3');
    dApp.send(wallet, 'sendTransaction', { ...payment, network: '-3' });
    await new Promise((resolve) => wallet.bridge.listen([dApp.app], 0, resolve));
    assert.deepEqual(network.sent, []);
    assert.deepEqual(wallet.pending, []);
  });

  it('asks again after a kill before the decision, and answers once', async () => {
    await open('ask', [{ decision: 'approve' }]);
    await connect();
    const asked = event('request');
    const message = dApp.message('sendTransaction', [JSON.stringify(payment)]);
    assert.equal(dApp.post(wallet, message), 'taken');
    await asked;
    await wallet.close();
    await open('ask');
    dApp.listen(wallet);
    // The dApp did not see the acknowledgment, and sends the same again.
    assert.equal(dApp.post(wallet, message), 'taken');
    wallet.resume();
    assert.equal(wallet.pending.length, 1);
    const answered = event('answer');
    wallet.decide(wallet.pending[0]!.number, { decision: 'approve' });
    await answered;
    assert.equal(dApp.post(wallet, message), 'taken');
    assert.equal(dApp.heard.length, 2);
    assert.equal(network.sent.length, 1);
    await wallet.close();
    await open('all');
    dApp.listen(wallet);
    wallet.resume();
    assert.equal(dApp.post(wallet, message), 'taken');
    assert.deepEqual(wallet.pending, []);
    assert.equal(dApp.heard.length, 2, 'what it has heard is not sent again');
  });

  it('asks once for what comes in before it goes on with what was left', async () => {
    await open('ask', [{ decision: 'approve' }]);
    await connect();
    await wallet.close();
    await open('ask');
    dApp.listen(wallet);
    const asked: number[] = [];
    const both = new Promise<void>((resolve) => {
      wallet.onEvent((told) => {
        if (told.type === 'request' && asked.push(told.request.number) === 2) {
          resolve();
        }
      });
    });
    dApp.send(wallet, 'sendTransaction', payment);
    wallet.resume();
    dApp.send(wallet, 'sendTransaction', payment);
    await both;
    assert.deepEqual(asked, [2, 3]);
  });

  it('sends the same message again after a kill while it was sent', async () => {
    await open('ask', [{ decision: 'approve' }, { decision: 'approve' }]);
    await connect();
    // Handed over, and killed before the answer came.
    const send = network.send.bind(network);
    const handedOver = new Promise<void>((resolve) => {
      network.send = async (message, signal) => {
        await send(message, signal);
        resolve();
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('killed'))),
        );
      };
    });
    dApp.send(wallet, 'sendTransaction', payment);
    await handedOver;
    await wallet.close();
    network.send = send;
    await open('ask');
    dApp.listen(wallet);
    const answered = event('answer');
    wallet.resume();
    const { answer } = await answered;
    assert.equal(network.sent.length, 2);
    assert.equal(network.sent[0], network.sent[1], 'it is the same message');
    assert.equal(answer.hash, network.sent[0]);
    assert.equal(dApp.heard.length, 2);
  });

  it('signs two payments in a row with two seqnos', async () => {
    await open('all');
    await connect();
    const both = new Promise<void>((resolve) => {
      let answers = 0;
      wallet.onEvent(({ type }) => type === 'answer' && (answers += 1) === 2 && resolve());
    });
    dApp.send(wallet, 'sendTransaction', payment);
    dApp.send(wallet, 'sendTransaction', payment);
    await both;
    assert.equal(new Set(network.sent).size, 2);
  });

  it('refuses ids that do not grow, unknown methods, and requests after the end', async () => {
    await open('all');
    await connect();
    const codes = (): (number | undefined)[] => dApp.heard.slice(1).map(({ error }) => error?.code);
    const next = (): Promise<unknown> =>
      new Promise((resolve) => {
        const before = dApp.heard.length;
        const stop = wallet.bridge.listen([dApp.app], 0, () => {
          if (dApp.heard.length > before) {
            setImmediate(() => stop());
            resolve(undefined);
          }
        });
      });
    for (const message of [
      dApp.message('signTransfer', ['{}'], '5'),
      dApp.message('signData', ['{}'], '5'),
      dApp.message('disconnect', [], '6'),
      dApp.message('signData', ['{"type":"text","text":"too late"}'], '7'),
    ]) {
      const heard = next();
      assert.equal(dApp.post(wallet, message), 'taken');
      await heard;
    }
    assert.deepEqual(codes(), [400, 1, undefined, 100]);
    assert.equal(wallet.sessions[0]?.state, 'ended');
  });

  it('knows only messages of the dApp to its session', async () => {
    await open('all');
    await connect();
    const stranger = new FakeDApp();
    const message = dApp.message('signData', ['{}']);
    assert.equal(wallet.receive(stranger.app, dApp.session, message), 'unknown-session');
    assert.equal(wallet.receive(dApp.app, stranger.app, message), 'unknown-session');
    assert.equal(dApp.post(wallet, 'AAAA'), 'not-readable');
    assert.equal(dApp.post(wallet, stranger.message('signData', ['{}'], '1', dApp.session)), 'not-readable');
  });

  it('takes no more than the bound of undecided requests', async () => {
    await open('ask', [{ decision: 'approve' }]);
    await connect();
    const text = { type: 'text', text: 'again' };
    const results = Array.from({ length: limits.walletQueue.most + 1 }, () =>
      dApp.send(wallet, 'signData', text),
    );
    assert.deepEqual([...new Set(results.slice(0, -1))], ['taken']);
    assert.equal(results.at(-1), 'full');
  });

  it('takes the same link once, and no more dApps than the bound', async () => {
    await open('all');
    await connect();
    await dApp.connect(wallet);
    assert.equal(wallet.sessions.length, 1);
    const others = Array.from({ length: limits.walletSessions.most - 1 }, () => new FakeDApp());
    const answered = new Promise<void>((resolve) => {
      let count = 0;
      const end = wallet.onEvent(({ type }) => {
        count += type === 'answer' ? 1 : 0;
        if (count === others.length) {
          end();
          resolve();
        }
      });
    });
    for (const other of others) {
      await other.connect(wallet);
    }
    await answered;
    // The oldest one that nobody listens to makes room, and hears of it when it comes back; who listens stays.
    const [oldest, ...used] = others;
    const late = new FakeDApp();
    await late.connect(wallet);
    assert.equal(wallet.sessions.length, limits.walletSessions.most);
    const apps = wallet.sessions.map(({ app }) => app);
    assert.deepEqual([apps.includes(dApp.app), apps.includes(oldest!.app)], [true, false]);
    oldest!.listen(wallet);
    assert.equal(oldest!.heard.at(-1)?.event, 'disconnect');
    [...used, late].forEach((other) => other.listen(wallet));
    await assert.rejects(new FakeDApp().connect(wallet), { code: 'wallet-full' });
    wallet.disconnect(wallet.sessions[0]!.id);
    await new FakeDApp().connect(wallet);
    assert.equal(wallet.sessions.length, limits.walletSessions.most);
    assert.equal(dApp.heard.at(-1)?.event, 'disconnect');
  });

  it('refuses a manifest on this machine that cannot be read, and another network once it is asked there', async () => {
    await open('all');
    dApp.listen(wallet);
    const request = { manifestUrl: 'http://localhost:1/manifest.json', items: [{ name: 'ton_addr' }] };
    await wallet.connect({ app: dApp.app, request });
    assert.equal(dApp.heard[0]?.payload?.code, 2);
    const other = new FakeDApp();
    other.listen(wallet);
    const connected = event('answer');
    await other.connect(wallet, [{ name: 'ton_addr', network: '-3' }]);
    assert.equal((await connected).session.wantedChain, '-3', 'which is a hint');
    assert.equal(other.heard[0]?.payload?.items?.[0]?.network, '-239');
    const refused = event('answer');
    other.send(wallet, 'sendTransaction', { ...payment, network: '-3' });
    assert.match(
      (await refused).answer.error?.message ?? '',
      /for the network -3, and this wallet is on -239/,
    );
  });

  it('decides by the rule of each dApp, which it keeps over a restart', async () => {
    const other = new FakeDApp();
    const answersTo = async (app: FakeDApp): Promise<number | 'result'> => {
      const answered = event('answer');
      app.send(wallet, 'signData', { type: 'text', text: 'again' });
      await answered;
      return app.heard.at(-1)?.error?.code ?? 'result';
    };
    await open('all');
    await connect();
    other.listen(wallet);
    const answered = event('answer');
    await other.connect(wallet);
    await answered;
    wallet.setApproval(dApp.session, 'none');
    wallet.approval = 'ask';
    assert.deepEqual([await answersTo(dApp), await answersTo(other)], [300, 'result']);
    await wallet.close();
    await open('ask');
    dApp.listen(wallet);
    other.listen(wallet);
    wallet.resume();
    assert.deepEqual([await answersTo(dApp), await answersTo(other)], [300, 'result']);
    const third = new FakeDApp();
    const asked = event('request');
    await third.connect(wallet);
    await asked;
    assert.deepEqual(
      wallet.sessions.map(({ approval }) => approval),
      ['none', 'all', 'ask'],
    );
    assert.equal(wallet.pending.length, 1, 'a dApp that connects now is asked about');
  });

  it('decides what is pending of a dApp when its rule changes, and nothing of another', async () => {
    const other = new FakeDApp();
    await open('ask', [{ decision: 'approve' }, { decision: 'approve' }]);
    await connect();
    other.listen(wallet);
    const connected = event('answer');
    await other.connect(wallet);
    await connected;
    const text = { type: 'text', text: 'wait' };
    dApp.send(wallet, 'signData', text);
    other.send(wallet, 'signData', text);
    const answered = event('answer');
    wallet.setApproval(other.session, 'all');
    assert.equal((await answered).session.app, other.app);
    assert.deepEqual(
      wallet.pending.map(({ session }) => session),
      [dApp.session],
    );
    wallet.disconnect(other.session);
    wallet.setApproval(other.session, 'none');
    assert.equal(wallet.sessions.find(({ id }) => id === other.session)?.approval, 'all', 'it has ended');
  });

  const nearby = { manifestUrl: 'http://localhost:1/manifest.json', items: [{ name: 'ton_addr' }] };

  it('reads in its next run the manifest that it was killed over', async () => {
    await open('ask', [], () => new Promise(() => undefined));
    dApp.listen(wallet);
    void wallet.connect({ app: dApp.app, request: nearby });
    await wallet.close();
    await open('ask', [], () => Promise.resolve('{"url":"https://shop.example","name":"Shop"}'));
    const asked = event('request');
    wallet.resume();
    assert.equal((await asked).session.dApp.domain, 'shop.example', 'what its proof is bound to');
  });

  it('does not ask for a dApp that has left while its manifest was read', async () => {
    let answer = (_text: string): void => undefined;
    await open('ask', [], () => new Promise((resolve) => (answer = resolve)));
    const connecting = wallet.connect({ app: dApp.app, request: nearby }, 'injected');
    wallet.leave(wallet.sessions[0]!.id);
    answer('{"url":"https://shop.example","name":"Shop"}');
    await connecting;
    assert.equal(wallet.sessions[0]!.state, 'ended');
    assert.deepEqual(wallet.pending, []);
  });

  it('has no accounts but those of its network', async () => {
    await open('all');
    assert.throws(() => (wallet.account = 'mallory'), { code: 'wallet-account-unknown' });
    assert.equal(wallet.account, alice!.name);
  });

  it('lets one process at a time use its folder', async () => {
    await open('all');
    await assert.rejects(WalletJournal.open(folder, silentLog), { code: 'wallet-state-in-use' });
  });
});
