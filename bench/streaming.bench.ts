// The stream of a local network: how late its events are, beside a bare server of server-sent events and beside a client
// that polls; what it costs while nothing happens; 1,000 clients; as many events as one client can take. The network
// and the bare server run in a process of their own.
import { Address } from '@ton/core';
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer as createHttpServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { namedAccounts } from '../src/toolkit/localnet/accounts/namedAccounts';
import { createServer } from '../src/toolkit/localnet/server/createServer';
import { collectGarbage } from './support/collectGarbage';
import { median } from './support/median';
import { percentile } from './support/percentile';
import { report } from './support/report';
import { openSpreadingChain } from './support/openSpreadingChain';
import { recipient, spreadMessage } from './support/spreadingEmulator';

/** Milliseconds from one block to the next, and how many are measured. */
const blockMs = 50;
const blocks = Number(process.env['TONWB_BENCH_BLOCKS'] ?? 20);
/** Messages of the wallet in each block; each has one more transaction. */
const messages = 9;
const clients = 1_000;
/** Milliseconds between two questions of a client that polls: those of the product, see followEvents. */
const pollMs = 500;
const idleMs = 3_000;
/** Of the flood: traces that become final at once, made in steps of so many; each trace is two events. */
const [floodSteps, floodTraces] = [5, 1_000];
const floodEvents = 2 * floodSteps * floodTraces;
const wallet = namedAccounts.find(({ kind }) => kind === 'v5r1')!.address;

/** What the other process is asked. */
type Question = 'ports' | 'block' | 'flood' | 'state';

/** Its answers. */
interface Answer {
  /** Of the network, and of the bare server. */
  ports: [number, number];
  /** Milliseconds since the epoch at which the block was there, and how long it took to make. */
  made: number;
  took: number;
  /** Requests so far, and bytes in use. */
  requests: number;
  memory: number;
  connections: number;
}

/** The other process: a network and a bare server, which sends each block's number to everybody. */
async function runNetwork(): Promise<void> {
  const { chain } = await openSpreadingChain();
  const server = await createServer(chain);
  await server.listen({ host: '127.0.0.1', port: 0 });
  let requests = 0;
  server.server.on('request', () => (requests += 1));
  const open = new Set<ServerResponse>();
  const bare = createHttpServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: connected\ndata: {}\n\n');
    open.add(response.once('close', () => open.delete(response)));
  });
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  let sent = 0;
  let made = 0;
  let took = 0;
  chain.onBlock(() => {
    made = performance.timeOrigin + performance.now();
    open.forEach((response) => response.write(`event: event\ndata: {"block":${made}}\n\n`));
  });
  const spread = async (first: number, count: number): Promise<void> => {
    await chain.submit(spreadMessage(Address.parseRaw(wallet), first, count));
  };
  const ask: Record<Question, () => Promise<void>> = {
    ports: () => Promise.resolve(),
    state: () => Promise.resolve(),
    block: async () => {
      await spread(1_000_000 + sent * messages, messages);
      sent += 1;
      const began = performance.now();
      await chain.mine();
      took = performance.now() - began;
    },
    flood: async () => {
      for (let count = 0; count < floodTraces; count += 1) {
        await spread(10_000_000 + sent, 1);
        sent += 1;
      }
      const began = performance.now();
      // A block holds less than all of them.
      do {
        await chain.mine();
      } while (!chain.isIdle);
      took = performance.now() - began;
    },
  };
  process.on('message', (question: Question) => {
    void ask[question]().then(() => {
      if (question === 'state') {
        collectGarbage();
      }
      const { heapUsed, arrayBuffers, external } = process.memoryUsage();
      const ports = [server, { server: bare }].map((one) => (one.server.address() as AddressInfo).port);
      process.send?.({
        ports: ports as [number, number],
        ...{ made, took, requests, memory: heapUsed + arrayBuffers + external },
        connections: open.size,
      } satisfies Answer);
    });
  });
  process.send?.('ready');
}

class Network {
  constructor(private readonly child: ChildProcess) {}

  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null): void => reject(new Error(`the network ended with ${code}`));
      this.child.once('exit', ended).once('message', (answer) => {
        this.child.off('exit', ended);
        resolve(answer as Answer);
      });
      this.child.send(question);
    });
  }
}

interface Listening {
  /** Milliseconds since the epoch at which each event came. */
  came: number[];
  close: () => void;
}

const agent = new Agent({ maxSockets: Infinity });

/** Begins each event, also if it comes in two parts. */
const mark = 'event: event';

/** A client of events: resolves once it is subscribed. */
function listen(port: number, path: string, body: object): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const came: number[] = [];
    let rest = '';
    const options = {
      ...{ agent, port, path, host: '127.0.0.1', method: 'POST' },
      headers: { 'content-type': 'application/json' },
    };
    const asking = request(options, (response: IncomingMessage) => {
      response.setEncoding('utf8').on('data', (part: string) => {
        const at = performance.timeOrigin + performance.now();
        const text = rest + part;
        let end = 0;
        for (
          let found = text.indexOf(mark);
          found >= 0;
          [end, found] = [found + mark.length, text.indexOf(mark, found + mark.length)]
        ) {
          came.push(at);
        }
        rest = text.slice(Math.max(end, text.length - mark.length));
        if (part.includes('event: connected')) {
          resolve({ came, close: () => asking.destroy() });
        }
      });
    });
    asking.on('error', reject).end(JSON.stringify(body));
  });
}

const sse = '/api/streaming/v2/sse';
const of = (...addresses: string[]): object => ({ types: ['transactions'], addresses });
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Milliseconds from a block to its event, block after block; and how long the blocks took. */
async function lateness(network: Network, listening: Listening): Promise<{ late: number[]; took: number[] }> {
  const late: number[] = [];
  const took: number[] = [];
  for (let block = -3; block < blocks; block += 1) {
    const before = listening.came.length;
    const answer = await network.ask('block');
    for (
      const end = performance.now() + 10_000;
      listening.came.length === before && performance.now() < end;
    ) {
      await pause(1);
    }
    if (block >= 0) {
      late.push(Math.max(0, listening.came[before]! - answer.made));
      took.push(answer.took);
    }
    await pause(blockMs);
  }
  return { late, took };
}

/** Milliseconds from a block to the answer of API v3 that has it, for a client that asks again and again. */
async function polled(network: Network, port: number): Promise<number[]> {
  const late: number[] = [];
  const url = `http://127.0.0.1:${port}/api/v3/transactions?account=${wallet}&limit=1&sort=desc`;
  const newest = async (): Promise<string> => {
    const { transactions } = (await (await fetch(url)).json()) as { transactions: { lt: string }[] };
    return transactions[0]?.lt ?? '';
  };
  for (let count = 0; count < blocks / 2; count += 1) {
    const known = await newest();
    // At any time between two questions.
    const block = pause(Math.random() * pollMs).then(() => network.ask('block'));
    do {
      await pause(pollMs);
    } while ((await newest()) === known);
    late.push(performance.timeOrigin + performance.now() - (await block).made);
  }
  return late;
}

/** Events a second that one client takes of a flood, and that the network made when it was not told yet. */
async function flood(network: Network, port: number): Promise<{ came: number; made: number }> {
  const hold = (isHeld: boolean): Promise<unknown> =>
    fetch(`http://127.0.0.1:${port}/control/finality`, {
      method: 'POST',
      body: JSON.stringify({ hold: isHeld }),
    });
  await hold(true);
  let took = 0;
  for (let step = 0; step < floodSteps; step += 1) {
    took += (await network.ask('flood')).took;
  }
  const types = ['transactions', 'account_state_change'];
  const listening = await listen(port, sse, { types, addresses: [wallet] });
  const began = performance.timeOrigin + performance.now();
  await hold(false);
  for (let [since, seen] = [performance.now(), 0]; listening.came.length < floodEvents; await pause(5)) {
    if (listening.came.length !== seen) {
      [since, seen] = [performance.now(), listening.came.length];
    }
    if (performance.now() - since > 20_000) {
      break;
    }
  }
  listening.close();
  const seconds = ((listening.came.at(-1) ?? began) - began) / 1_000;
  return {
    came: seconds === 0 ? 0 : listening.came.length / seconds,
    made: floodEvents / (took / 1_000),
  };
}

async function measure(network: Network): Promise<void> {
  const { ports } = await network.ask('ports');
  const [port, barePort] = ports;
  const one = await listen(port, sse, of(wallet));
  const alone = await lateness(network, one);
  const before = (await network.ask('state')).requests;
  await pause(idleMs);
  const idle = (await network.ask('state')).requests - before;
  one.close();
  const bareOne = await listen(barePort, '/', {});
  const bare = await lateness(network, bareOne);
  bareOne.close();
  const polling = await polled(network, port);

  const empty = await network.ask('state');
  const crowd = await Promise.all(
    Array.from({ length: clients - 1 }, (_, index) => listen(port, sse, of(recipient(index).toRawString()))),
  );
  const full = await network.ask('state');
  const beside = await listen(port, sse, of(wallet));
  const withCrowd = await lateness(network, beside);
  [...crowd, beside].forEach((listening) => listening.close());
  await pause(1_000);
  const bareEmpty = await network.ask('state');
  const bareCrowd = await Promise.all(Array.from({ length: clients }, () => listen(barePort, '/', {})));
  const bareFull = await network.ask('state');
  bareCrowd.forEach((listening) => listening.close());
  await pause(1_000);
  const everybody = await Promise.all(Array.from({ length: clients }, () => listen(port, sse, of(wallet))));
  const toAll = await lateness(network, everybody[clients - 1]!);
  everybody.forEach((listening) => listening.close());
  await pause(1_000);
  const peerName = 'bare SSE server';
  const ms = { unit: 'ms' };
  const memory = (from: Answer, to: Answer): number => (to.memory - from.memory) / 1_048_576;
  report([
    {
      name: 'event after its block, p50',
      ours: median(alone.late),
      peer: median(bare.late),
      peerName,
      ...ms,
    },
    {
      name: 'event after its block, p95',
      ours: percentile(alone.late, 0.95),
      peer: percentile(bare.late, 0.95),
      peerName,
      ...ms,
      goal: '<= 50 ms',
    },
    {
      name: 'event after its block, p50',
      ours: median(alone.late),
      peer: median(polling),
      peerName: `asking every ${pollMs} ms`,
      ...ms,
    },
    {
      name: `requests in ${idleMs / 1_000} s without a block`,
      ours: idle,
      unit: 'requests',
      goal: '<= 0 requests',
    },
    {
      name: `memory of ${clients} clients`,
      ours: memory(empty, full),
      peer: memory(bareEmpty, bareFull),
      peerName,
      unit: 'MiB',
      goal: '<= 64 MiB',
    },
    {
      name: `block with ${clients} clients that it does not concern, p50`,
      ours: median(withCrowd.took),
      peer: median(alone.took),
      peerName: '1 client',
      ...ms,
      goal: '<= 1.1',
    },
    {
      name: `event after its block, ${clients} clients, p95`,
      ours: percentile(withCrowd.late, 0.95),
      ...ms,
      goal: '<= 50 ms',
    },
    {
      name: `block that is told to ${clients} clients, p50`,
      ours: median(toAll.took),
      peer: median(alone.took),
      peerName: '1 client',
      ...ms,
      goal: '<= 1.1',
    },
    { name: `last of ${clients} clients that are told, p50`, ours: median(toAll.late), ...ms },
  ]);
  const { came, made } = await flood(network, port);
  report([
    {
      name: 'events to one client',
      ours: came,
      peer: made,
      peerName: 'as the network makes them',
      unit: '/s',
      goal: '>= 10000 /s',
    },
  ]);
}

if (process.argv[2] === 'network') {
  process.once('disconnect', () => process.exit());
  await runNetwork();
} else {
  const child = fork(process.argv[1] ?? '', ['network'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await new Promise((resolve) => child.once('message', resolve));
  await measure(new Network(child));
  child.kill();
  process.exit();
}
