import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest } from 'node:http';
import type { ClientRequest, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Address, internal } from '@ton/core';
import { Base64, SessionCrypto, hexToByteArray } from '@tonconnect/protocol';
import { namedAccounts } from '../src/toolkit/localnet/accounts/namedAccounts';
import { startTestWallet } from '../src/toolkit/tonConnect/startTestWallet';
import type { WalletNetwork } from '../src/toolkit/tonConnect/walletNetwork';
import { startLocalnetCommand } from '../test/support/localnetCommand';
import type { LocalnetCommand } from '../test/support/localnetCommand';
import { startWalletCommand } from '../test/support/walletCommand';
import type { WalletReady } from '../test/support/walletCommand';
import { collectGarbage } from './support/collectGarbage';
import { median } from './support/median';
import { report } from './support/report';
import { signedTransfer } from './support/signedTransfer';

/*
 * What the test wallet adds to a payment: from the dApp's request to the answer, approved by a rule, compared with what
 * no wallet can do without: a bridge that passes the request there and the answer back, and the network's sendBoc. What
 * the dApp does, sealing its request and opening the answer, is not measured. Each server is a process; rounds alternate,
 * so that other load on the machine affects all equally.
 */

const [payer, peer, shop] = namedAccounts;
const rounds = 60;
const warmUp = 15;
const streams = 1_000;

async function measure(): Promise<void> {
  const { ours, bridge, send } = await measurePayments();
  const growth = await measureStreams();
  report([
    {
      ...{ name: 'approved payment, request to answer', ours: median(ours), unit: 'ms', goal: '<= 2' },
      ...{ peer: median(bridge) + median(send), peerName: 'a bare bridge, and sendBoc' },
    },
    { name: `${streams} idle event streams`, ours: growth, unit: 'MB', goal: '<= 40 MB' },
  ]);
}

interface Times {
  ours: number[];
  bridge: number[];
  send: number[];
}

async function measurePayments(): Promise<Times> {
  const network = await startLocalnetCommand();
  const wallet = await startWalletCommand(network.origin, '--approve', 'all', '--account', payer!.name);
  const bare = await startChild('bridge');
  const dApp = await PayingDApp.connect(wallet.ready);
  const echo = await EchoedDApp.open(`http://127.0.0.1:${bare.port}`);
  const times: Times = { ours: [], bridge: [], send: [] };
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const one = {
      bridge: await timed(() => echo.ask()),
      send: await timed(sendAsPeer(network, round)),
      ours: await timed(dApp.payment(round)),
    };
    dApp.assertAnswered();
    await network.untilIdle();
    if (round >= warmUp) {
      times.bridge.push(one.bridge);
      times.send.push(one.send);
      times.ours.push(one.ours);
    }
  }
  dApp.close();
  echo.close();
  bare.child.disconnect();
  await wallet.stop();
  await network.stop();
  return times;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Signs a payment, and returns what sends it. */
function sendAsPeer({ ready }: LocalnetCommand, seqno: number): () => Promise<unknown> {
  const message = internal({ to: Address.parseRaw(shop!.address), value: 1n, bounce: false });
  const boc = signedTransfer(peer!, seqno, [message]).toString('base64');
  return () => post(`${ready.v2}/sendBoc`, JSON.stringify({ boc }));
}

const agent = new Agent({ keepAlive: true });

/** Resolves with the whole answer. */
function post(url: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': url.endsWith('/sendBoc') ? 'application/json' : 'text/plain' };
    httpRequest(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (part: string) => (text += part))
        .on('end', () =>
          response.statusCode === 200 ? resolve(text) : reject(new Error(`${response.statusCode}: ${text}`)),
        );
    })
      .once('error', reject)
      .end(body);
  });
}

/** Opens an event stream, as EventSource does; resolves when it is there. */
function listen(url: string, onData: (data: string) => void): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest(url, { headers: { accept: 'text/event-stream' } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        const frames = (text + part).split('\n\n');
        text = frames.pop() ?? '';
        for (const frame of frames) {
          const line = frame.split('\n').find((one) => one.startsWith('data: '));
          if (line !== undefined && line !== 'data: heartbeat') {
            onData(line.slice('data: '.length));
          }
        }
      });
      response.on('error', () => undefined);
      resolve(asked);
    });
    asked.once('error', reject).end();
  });
}

/** A dApp that is connected to the wallet, with as little around the protocol as possible. */
class PayingDApp {
  readonly #keys = new SessionCrypto();
  readonly #bridge: string;
  #stream!: ClientRequest;
  #wallet = '';
  #sealed = '';
  #heard: () => void = () => undefined;

  private constructor(bridge: string) {
    this.#bridge = bridge;
  }

  static async connect({ bridge, universalLink }: WalletReady): Promise<PayingDApp> {
    const dApp = new PayingDApp(bridge);
    dApp.#stream = await listen(`${bridge}/events?client_id=${dApp.#keys.sessionId}`, (data) => {
      const { from, message } = JSON.parse(data) as { from: string; message: string };
      dApp.#wallet = from;
      dApp.#sealed = message;
      dApp.#heard();
    });
    const connected = dApp.#next();
    const request = { manifestUrl: 'https://shop.example/m.json', items: [{ name: 'ton_addr' }] };
    const query = new URLSearchParams({ v: '2', id: dApp.#keys.sessionId, r: JSON.stringify(request) });
    await fetch(`${universalLink}?${query.toString()}`);
    await connected;
    dApp.assertAnswered();
    return dApp;
  }

  /** Seals the request for a payment, and returns what asks for it and waits for the sealed answer. */
  payment(id: number): () => Promise<void> {
    const address = Address.parseRaw(shop!.address).toString({ bounceable: false });
    const asked = { valid_until: Math.floor(Date.now() / 1000) + 300, messages: [{ address, amount: '1' }] };
    const request = { method: 'sendTransaction', params: [JSON.stringify(asked)], id: `${id}` };
    const sealed = this.#keys.encrypt(JSON.stringify(request), hexToByteArray(this.#wallet));
    const query = new URLSearchParams({ client_id: this.#keys.sessionId, to: this.#wallet, ttl: '300' });
    const [url, body] = [`${this.#bridge}/message?${query.toString()}`, Base64.encode(sealed)];
    return async () => {
      const answered = this.#next();
      await post(url, body);
      await answered;
    };
  }

  /** Opens the last answer; throws if it is a refusal. */
  assertAnswered(): void {
    const text = this.#keys.decrypt(Base64.decode(this.#sealed).toUint8Array(), hexToByteArray(this.#wallet));
    const { error } = JSON.parse(text) as { error?: object };
    if (error !== undefined) {
      throw new Error(JSON.stringify(error));
    }
  }

  close(): void {
    this.#stream.destroy();
  }

  #next(): Promise<void> {
    return new Promise((resolve) => (this.#heard = resolve));
  }
}

/** A dApp and a wallet on a bridge that does nothing else; the wallet returns what it gets. */
class EchoedDApp {
  readonly #bridge: string;
  readonly #streams: ClientRequest[] = [];
  #heard: () => void = () => undefined;

  private constructor(bridge: string) {
    this.#bridge = bridge;
  }

  static async open(bridge: string): Promise<EchoedDApp> {
    const echoed = new EchoedDApp(bridge);
    echoed.#streams.push(
      await listen(`${bridge}/events?client_id=wallet`, (data) => {
        void post(`${bridge}/message?to=dApp`, data);
      }),
      await listen(`${bridge}/events?client_id=dApp`, () => echoed.#heard()),
    );
    return echoed;
  }

  async ask(): Promise<void> {
    const answered = new Promise<void>((resolve) => (this.#heard = resolve));
    await post(`${this.#bridge}/message?to=wallet`, 'x'.repeat(500));
    await answered;
  }

  close(): void {
    this.#streams.forEach((stream) => stream.destroy());
  }
}

interface StartedChild {
  child: ChildProcess;
  port: number;
}

/** Starts this benchmark in another role; the first message is its port. It ends with the connection to it. */
async function startChild(role: 'bridge' | 'idle'): Promise<StartedChild> {
  const child = fork(process.argv[1]!, [role]);
  const [port] = (await once(child, 'message')) as [number];
  return { child, port };
}

function serveBridge(): void {
  const open = new Map<string, ServerResponse>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    if (pathname === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': connected\n\n');
      open.set(searchParams.get('client_id') ?? '', response);
      return;
    }
    let body = '';
    request
      .setEncoding('utf8')
      .on('data', (part: string) => (body += part))
      .on('end', () => {
        open.get(searchParams.get('to') ?? '')?.write(`data: ${body}\n\n`);
        response.end('OK');
      });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.once('disconnect', () => process.exit());
}

/** Megabytes by which the process of a wallet grows with the streams. */
async function measureStreams(): Promise<number> {
  const { child, port } = await startChild('idle');
  const memory = async (): Promise<number> => {
    const told = once(child, 'message');
    child.send('memory');
    const [bytes] = (await told) as [number];
    return bytes / 2 ** 20;
  };
  const clientId = (number: number): string => number.toString(16).padStart(64, '0');
  const openStream = (number: number): Promise<ClientRequest> =>
    listen(`http://127.0.0.1:${port}/bridge/events?client_id=${clientId(number)}`, () => undefined);
  // What the first stream loads stays.
  (await openStream(0)).destroy();
  const before = await memory();
  const all: ClientRequest[] = [];
  for (let number = 1; number <= streams; number += 1) {
    all.push(await openStream(number));
  }
  const grown = (await memory()) - before;
  all.forEach((stream) => stream.destroy());
  child.disconnect();
  return grown;
}

async function serveIdleWallet(): Promise<void> {
  const nothing = (): Promise<never> => Promise.reject(new Error('nothing is asked here'));
  const network: WalletNetwork = {
    ...{ name: 'Bench', chain: '-239', accounts: namedAccounts },
    ...{ signingState: nothing, rehearse: nothing, send: nothing },
    ...{ rehearseRelay: nothing, relay: nothing, lookUp: nothing },
  };
  const wallet = await startTestWallet({ network, approval: 'ask', port: 0, version: '0.0.0' });
  process.on('message', () => {
    collectGarbage();
    process.send?.(process.memoryUsage.rss());
  });
  process.once('disconnect', () => void wallet.close().then(() => process.exit()));
  process.send?.(wallet.port);
}

// Last, because classes are there only after their definition.
switch (process.argv[2]) {
  case 'bridge':
    serveBridge();
    break;
  case 'idle':
    await serveIdleWallet();
    break;
  default:
    await measure();
}
