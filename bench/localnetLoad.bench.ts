import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer as createPlainServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { namedAccounts } from '../src/toolkit/localnet/accounts/namedAccounts';
import type { LocalChain } from '../src/toolkit/localnet/chain/localChain';
import { createServer } from '../src/toolkit/localnet/server/createServer';
import { collectGarbage } from './support/collectGarbage';
import { beginWithJettons, growNetwork, Senders } from './support/growNetwork';
import type { LongestTurn } from './support/longestTurn';
import { watchTurns } from './support/longestTurn';
import { median } from './support/median';
import { report } from './support/report';
import { openSpreadingChain } from './support/openSpreadingChain';
import { recipient } from './support/spreadingEmulator';

const small = 1_000;
const large = Number(process.env['TONWB_BENCH_TRANSACTIONS'] ?? 100_000);
const rounds = 15;

/** Clients that keep sending requests on their own connections, and requests that each use a new one. */
const busyClients = 50;
const freshRequests = 150;

/** Maximum milliseconds that a client waits for an answer. */
const patience = 5_000;

/**
 * One request per filter of `/actions`; the jetton's is rare, because it is at the beginning of the chain.
 */
function questions({ ledger }: LocalChain): Record<string, string> {
  const middle = ledger.transactions[ledger.transactions.length >> 1]!;
  const hash = encodeURIComponent(middle.hash);
  return {
    'no filter': '',
    action_type: 'action_type=jetton_transfer',
    'action_type, none': 'action_type=nothing_like_it',
    exclude_action_type: 'exclude_action_type=ton_transfer',
    account: `account=${recipient(57).toRawString()}`,
    'account and type': `account=${namedAccounts[0]!.address}&action_type=jetton_transfer`,
    tx_hash: `tx_hash=${hash}`,
    mc_seqno: `mc_seqno=${ledger.blocks[2]!.seqno}`,
    offset: `offset=${Math.floor(ledger.transactions.length / 2)}`,
    end_lt: `end_lt=${middle.lt}`,
    end_utime: `end_utime=${middle.now}`,
    'sort=asc': 'sort=asc',
  };
}

interface Measured {
  times: Map<string, number>;
  /** Milliseconds until the first answer, which builds the index. */
  first: number;
  longest: LongestTurn;
  /** Bytes of the index per transaction. */
  size: number;
}

async function measureActions(chain: LocalChain): Promise<Measured> {
  const server = await createServer(chain);
  await server.inject('/api/v3/jetton/masters');
  const before = usedMemory();
  const watched = watchTurns();
  const began = performance.now();
  await server.inject('/api/v3/actions?action_type=nothing_like_it');
  const first = performance.now() - began;
  const longest = watched();
  const size = (usedMemory() - before) / chain.ledger.transactions.length;
  const times = new Map<string, number>();
  for (const [name, query] of Object.entries(questions(chain))) {
    const taken: number[] = [];
    for (let round = -5; round < rounds; round += 1) {
      const before = performance.now();
      await server.inject(`/api/v3/actions?${query}`);
      if (round >= 0) {
        taken.push(performance.now() - before);
      }
    }
    times.set(name, median(taken));
  }
  await server.close();
  return { times, first, longest, size };
}

function usedMemory(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function growth(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tonwb-load-'));
  const { chain, store } = await openSpreadingChain(folder);
  const by = new Senders();
  await beginWithJettons(chain, by);
  await growNetwork(chain, small);
  const atSmall = await measureActions(chain);
  await growNetwork(chain, large);
  await fresh(await createServer(chain));
  const atLarge = await measureActions(chain);
  await chain.close();
  await store?.close();
  report([
    ...[...atLarge.times].map(([name, ours]) => ({
      name: `/actions by ${name} at ${large} transactions`,
      ours,
      peer: atSmall.times.get(name)!,
      peerName: `at ${small}`,
      unit: 'ms',
      goal: '<= 3',
    })),
    { name: `first /actions by type at ${large}`, ours: atLarge.first, unit: 'ms' },
    { name: 'CPU of its longest turn', ours: atLarge.longest.cpu, unit: 'ms', goal: '<= 100 ms' },
    { name: 'the same by the clock, with what else runs here', ours: atLarge.longest.wall, unit: 'ms' },
    { name: 'memory of the index per transaction', ours: atLarge.size, unit: 'B' },
  ]);
  await startAgain(folder);
  rmSync(folder, { recursive: true });
}

/** CPU time and memory of a start with the whole history. */
async function startAgain(folder: string): Promise<void> {
  const before = usedMemory();
  const cpu = process.cpuUsage();
  const began = performance.now();
  const { chain, store } = await openSpreadingChain(folder);
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  const memory = usedMemory() - before;
  const size = `${chain.ledger.transactions.length} transactions on ${chain.ledger.accounts.size} accounts`;
  await chain.close();
  await store?.close();
  report([
    { name: `start-up with ${size}`, ours: took, unit: 'ms' },
    { name: 'CPU of that', ours: (user + system) / 1000, unit: 'ms' },
    { name: 'memory of that', ours: memory / 1_048_576, unit: 'MiB' },
  ]);
}

/**
 * New connections while others keep the server busy, compared with a plain server that does the same amount
 * of work per request.
 */
async function fresh(server: FastifyInstance): Promise<void> {
  await server.listen({ host: '127.0.0.1', port: 0 });
  const address = namedAccounts[0]!.address;
  const paths = [
    '/api/v3/transactions?limit=3',
    '/api/v3/masterchainInfo',
    '/api/v3/blocks?limit=10',
    '/api/v3/actions?limit=3',
    `/api/v3/accountStates?address=${address}`,
    `/api/v2/getAddressInformation?address=${address}`,
    `/api/v2/runGetMethod?address=${address}&method=seqno`,
  ];
  await server.inject(paths[3]!);
  const { port } = server.server.address() as AddressInfo;
  const alone = await clients(port, paths, 1, 0);
  const plain = createPlainServer((_request, response) => {
    const end = performance.now() + alone.busy;
    while (performance.now() < end);
    response.end('{}');
  });
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  // If nothing answers in time, the wait is at least that long.
  const ours = await clients(port, paths, busyClients, freshRequests);
  const peer = await clients((plain.address() as AddressInfo).port, paths, busyClients, freshRequests);
  await server.close();
  plain.closeAllConnections();
  plain.close();
  report([
    {
      name: `longest wait of ${freshRequests} new connections beside ${busyClients} busy ones`,
      ours: ours.longest,
      peer: peer.longest,
      peerName: 'plain Node.js server',
      unit: 'ms',
      goal: '<= 1000 ms',
    },
    {
      name: 'their median',
      ours: ours.median,
      peer: peer.median,
      peerName: 'plain Node.js server',
      unit: 'ms',
    },
  ]);
}

interface Waits {
  /** Milliseconds per request of the busy clients. */
  busy: number;
  longest: number;
  median: number;
}

/** Runs the clients in a separate process, so that only the server's work delays the server. */
function clients(port: number, paths: string[], busy: number, others: number): Promise<Waits> {
  const args = [process.argv[1]!, 'clients', String(port), String(busy), String(others), ...paths];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(JSON.parse(output) as Waits));
  });
}

/** Milliseconds until the answer, or {@link patience} without one. */
function get(port: number, pathAndQuery: string, agent: Agent): Promise<number> {
  const began = performance.now();
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path: pathAndQuery, agent };
    const sent = request(options, (response) => {
      response.resume().on('end', () => resolve(performance.now() - began));
    });
    const timer = setTimeout(() => sent.destroy(new Error('no answer')), patience);
    sent.on('error', () => resolve(patience)).on('close', () => clearTimeout(timer));
    sent.end();
  });
}

async function runClients([portText, busyText, othersText, ...paths]: string[]): Promise<void> {
  const [port, busy, others] = [Number(portText), Number(busyText), Number(othersText)];
  let isRunning = true;
  const times: number[] = [];
  const keep = Array.from({ length: busy }, async (_, number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let round = number; isRunning; round += 1) {
      times.push(await get(port, paths[round % paths.length]!, agent));
    }
    agent.destroy();
  });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const single = new Agent({ keepAlive: false, maxSockets: Infinity });
  const waits = await Promise.all(
    Array.from({ length: others }, (_, number) => get(port, paths[number % paths.length]!, single)),
  );
  isRunning = false;
  await Promise.all(keep);
  const middle = waits.length === 0 ? 0 : median(waits);
  process.stdout.write(
    JSON.stringify({ busy: median(times), longest: Math.max(0, ...waits), median: middle }),
  );
}

const [, , mode, ...rest] = process.argv;
await (mode === 'clients' ? runClients(rest) : growth());
