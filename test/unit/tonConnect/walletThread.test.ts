import { Address } from '@ton/core';
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';
import type { PreparedSend } from '../../../src/toolkit/send/preparedSend';
import { startWalletThread } from '../../../src/toolkit/tonConnect/startWalletThread';
import type {
  AskedRequest,
  WalletThread,
  WalletThreadOptions,
} from '../../../src/toolkit/tonConnect/startWalletThread';
import type { WalletAnswer } from '../../../src/toolkit/tonConnect/walletBook';
import { walletAddresses } from '../../../src/toolkit/tonConnect/injectedScript';
import { testChain } from '../localnet/support/testChain';
import { fakeNetwork } from './support/fakeNetwork';
import type { FakeNetwork } from './support/fakeNetwork';

const [alice, bob] = namedAccounts;
/** The page's client id. */
const client = 'ab'.repeat(32);
const connectRequest = { manifestUrl: 'https://shop.example/manifest.json', items: [{ name: 'ton_addr' }] };
const payment = {
  valid_until: Math.floor(Date.now() / 1000) + 3_600,
  messages: [{ address: Address.parse(bob!.address).toString({ bounceable: false }), amount: '7' }],
};

describe('the test wallet in its thread', () => {
  let folder: string;
  let network: FakeNetwork;
  const threads: WalletThread[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-wallet-'));
    network = fakeNetwork(await testChain());
  });
  afterEach(async () => {
    await Promise.all(threads.splice(0).map((thread) => thread.close()));
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (more: Partial<WalletThreadOptions> = {}): Promise<WalletThread> => {
    const options = { network, approval: 'ask', port: 0, folder, version: '1.2.3', ...more } as const;
    const thread = await startWalletThread(options);
    threads.push(thread);
    return thread;
  };
  const next = <T>(listen: (listener: (value: T) => void) => () => void): Promise<T> =>
    new Promise((resolve) => {
      const stop = listen((value) => {
        stop();
        resolve(value);
      });
    });
  const asked = (thread: WalletThread): Promise<AskedRequest> => next((one) => thread.onRequest(one));
  const answered = (thread: WalletThread): Promise<WalletAnswer> => next((one) => thread.onAnswer(one));
  const post = async ({ port }: WalletThread, place: string, body: object): Promise<number> => {
    const { origin } = new URL(walletAddresses(port).bridge);
    return (await fetch(origin + place, { method: 'POST', body: JSON.stringify(body) })).status;
  };
  /** Connects the script of a page. */
  const connect = async (thread: WalletThread): Promise<void> => {
    const [request, answer] = [asked(thread), answered(thread)];
    assert.equal(await post(thread, '/injected/connect', { client, request: connectRequest }), 200);
    await thread.control.call('decide', (await request).request.number, { decision: 'approve' });
    await answer;
  };
  const pay = (thread: WalletThread, id = '1'): Promise<number> => {
    const message = { method: 'sendTransaction', params: [JSON.stringify(payment)], id };
    return post(thread, `/injected/message?client=${client}`, message);
  };

  it('asks with the rehearsal that this thread has made, and sends over its network', async () => {
    const rehearsal = { message: () => 'cannot cross threads' } as unknown as PreparedSend;
    const hashes: string[] = [];
    const rehearse: FakeNetwork['rehearse'] = ({ hashNorm }) => {
      hashes.push(hashNorm);
      return Promise.resolve(rehearsal);
    };
    const thread = await start({ network: { ...network, rehearse }, account: 'alice' });
    await connect(thread);
    const request = asked(thread);
    assert.equal(await pay(thread), 200);
    const { rehearsed, session, request: told } = await request;
    assert.equal(rehearsed, rehearsal);
    assert.equal(session.account, 'alice');
    assert.equal(told.method === 'sendTransaction' && told.params.messages[0]?.address, bob!.address);
    assert.deepEqual(network.sent, [], 'nothing is sent before the decision');
    const answer = answered(thread);
    await thread.control.call('decide', told.number, { decision: 'approve' });
    assert.equal((await answer).hash, network.sent[0]);
    // Nothing else was signed in between: the message that was rehearsed is the one that was sent.
    assert.deepEqual(network.sent, hashes);
  });

  it('knows what has changed before a call returns', async () => {
    const thread = await start();
    await connect(thread);
    assert.deepEqual(
      thread.snapshot.sessions.map(({ dApp, state }) => [dApp.domain, state]),
      [['shop.example', 'connected']],
    );
    const request = asked(thread);
    await pay(thread);
    const { number } = (await request).request;
    await thread.control.call('setAccount', 'bob');
    assert.deepEqual(thread.snapshot.pending, [number]);
    assert.equal(thread.snapshot.account, 'bob');
    await thread.control.call('setApproval', 'none');
    assert.equal(thread.snapshot.approval, 'none');
    assert.deepEqual(thread.snapshot.pending, [number], 'dApps that are connected keep theirs');
    const session = thread.snapshot.sessions[0]?.id ?? '';
    await thread.control.call('setApproval', 'all', session);
    assert.equal(thread.snapshot.sessions[0]?.approval, 'all');
    assert.deepEqual(thread.snapshot.pending, [], 'what was pending is approved too');
    await thread.control.call('disconnect', session);
    assert.equal(thread.snapshot.sessions[0]?.state, 'ended');
  });

  it('knows that a request is decided as soon as it is, long before it is answered', async () => {
    const thread = await start();
    await connect(thread);
    const request = asked(thread);
    await pay(thread);
    const { number } = (await request).request;
    assert.equal(thread.snapshot.decided.length, 0);
    const earliest = Date.now() + 3_600_000;
    await thread.control.call('decide', number, { decision: 'answer-late', seconds: 3_600 });
    assert.deepEqual(thread.snapshot.pending, []);
    const [decided] = thread.snapshot.decided;
    assert.deepEqual([decided?.number, decided?.decision], [number, 'answer-late']);
    assert.ok((decided?.notBefore ?? 0) >= earliest, 'the time of the answer is known');
    await assert.rejects(thread.control.call('decide', number, { decision: 'reject' }), {
      code: 'wallet-request-decided',
      message: `Request ${number} was decided already: Answer Late.`,
    });
  });

  it('says of a request that cannot be decided any more what has become of it', async () => {
    const thread = await start();
    await connect(thread);
    const decide = (number: number): Promise<unknown> =>
      thread.control.call('decide', number, { decision: 'approve' });
    const ask = async (id: string): Promise<number> => {
      const request = asked(thread);
      await pay(thread, id);
      return (await request).request.number;
    };
    const rejected = await ask('1');
    const answer = answered(thread);
    await thread.control.call('decide', rejected, { decision: 'reject' });
    await answer;
    assert.deepEqual(thread.snapshot.decided, []);
    const message = `Request ${rejected} was decided already: Reject.`;
    await assert.rejects(decide(rejected), { code: 'wallet-request-decided', message });
    const withdrawn = await ask('2');
    await thread.control.call('disconnect', thread.snapshot.sessions[0]?.id ?? '');
    await assert.rejects(decide(withdrawn), /was withdrawn: the connection of its dApp has ended/);
  });

  it('keeps the keys of its sessions to itself', async () => {
    const thread = await start({ approval: 'all' });
    const answer = answered(thread);
    await thread.control.call('connect', { app: client, request: connectRequest });
    await answer;
    assert.equal(thread.snapshot.sessions[0]?.kind, 'bridge');
    assert.deepEqual(thread.snapshot.pending, []);
    assert.doesNotMatch(JSON.stringify(thread.snapshot), /publicKey|secretKey/);
  });

  it('says why there is no rehearsal', async () => {
    const unreachable = (): Promise<never> => Promise.reject(new Error('the network is gone'));
    const thread = await start();
    await connect(thread);
    await thread.close();
    const again = await start({ network: { ...network, signingState: unreachable } });
    const request = asked(again);
    await pay(again);
    const { rehearsed } = await request;
    assert.match(rehearsed instanceof Error ? rehearsed.message : '', /the network is gone/);
  });

  it('goes on with the next start: asks again, and lets go of the folder', async () => {
    const first = await start();
    await connect(first);
    const request = asked(first);
    await pay(first);
    const { number } = (await request).request;
    await assert.rejects(start(), { code: 'wallet-state-in-use' });
    await first.close();
    const second = await start();
    const again = asked(second);
    await second.control.call('resume');
    assert.equal((await again).request.number, number);
    const answer = answered(second);
    await second.control.call('decide', number, { decision: 'approve' });
    assert.equal((await answer).hash, network.sent[0]);
  });

  it('passes errors across the thread boundary', async () => {
    await assert.rejects(start({ account: 'mallory' }), { code: 'wallet-account-unknown', kind: 'input' });
    const thread = await start();
    const { port } = thread;
    await assert.rejects(start({ port, folder: path.join(folder, 'other') }), { code: 'port-in-use' });
    const unknown = thread.control.call('decide', 7, { decision: 'approve' });
    await assert.rejects(unknown, { code: 'wallet-request-unknown', kind: 'input' });
    await assert.rejects(thread.control.call('setAccount', 'mallory'), { code: 'wallet-account-unknown' });
    assert.equal(thread.snapshot.account, alice!.name);
  });

  it('ends on close while a send is under way, and afterward says that it has stopped', async () => {
    let reached = (): void => undefined;
    const sending = new Promise<void>((resolve) => (reached = resolve));
    const send: FakeNetwork['send'] = (_message, signal) => {
      reached();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    };
    const thread = await start({ network: { ...network, send }, approval: 'all' });
    const answer = answered(thread);
    await post(thread, '/injected/connect', { client, request: connectRequest });
    await answer;
    let isSurprise = false;
    thread.onStopped(() => (isSurprise = true));
    await pay(thread);
    await sending;
    await thread.close();
    await thread.close();
    assert.equal(isSurprise, false, 'a stop that was asked for is no surprise');
    await assert.rejects(thread.control.call('resume'), { code: 'wallet-stopped' });
    // The next run sends the message that was signed, and answers.
    const again = await start();
    const late = answered(again);
    await again.control.call('resume');
    assert.equal((await late).hash, network.sent[0]);
    assert.equal(network.sent.length, 1);
  });

  it('tells that it has ended by itself, and can be started again', async () => {
    const lock = path.join(folder, 'lock.json');
    const readings = new EventEmitter();
    const site = createServer((_, response) => readings.emit('read', response)).listen(0, '127.0.0.1');
    await once(site, 'listening');
    try {
      const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
      const answerManifest = (response: ServerResponse): unknown =>
        response.end(JSON.stringify({ url, name: 'Shop', iconUrl: `${url}/icon.png` }));
      // The first run ends while it reads who the dApp is; the next one goes on with that.
      const first = await start();
      const connecting = post(first, '/injected/connect', {
        client,
        request: { ...connectRequest, manifestUrl: `${url}/manifest.json` },
      }).catch(() => undefined);
      await once(readings, 'read');
      await first.close();
      await connecting;
      const thread = await start();
      const stopped = next<Error>((one) => thread.onStopped(one));
      const reading = once(readings, 'read') as Promise<[ServerResponse]>;
      await thread.control.call('resume');
      // As if somebody had copied the folder over itself: the journal refuses what comes next.
      await copyFile(lock, `${lock}.copy`);
      await rename(`${lock}.copy`, lock);
      answerManifest((await reading)[0]);
      assert.match((await stopped).message, /^The test wallet has stopped: .+[^.]\.$/);
      await assert.rejects(thread.control.call('resume'), { code: 'wallet-stopped' });
      const again = await start();
      const request = asked(again);
      readings.once('read', answerManifest);
      await again.control.call('resume');
      assert.equal((await request).request.method, 'connect');
    } finally {
      site.closeAllConnections();
      site.close();
    }
  });

  it('carries out at once, and without a rehearsal, what a rule decides', async () => {
    const rehearse: FakeNetwork['rehearse'] = () => Promise.reject(new Error('nobody is asked'));
    const thread = await start({ network: { ...network, rehearse }, approval: 'all' });
    const connected = answered(thread);
    await post(thread, '/injected/connect', { client, request: connectRequest });
    await connected;
    const [request, answer] = [asked(thread), answered(thread)];
    await pay(thread);
    assert.equal((await request).rehearsed, undefined);
    assert.equal((await answer).hash, network.sent[0]);
  });
});
