// The list of live traces while a local network makes 500 transactions a second: what it costs the thread that the
// list is kept on, which is the editor's extension host. The network runs in a process of its own, as it runs in a
// thread of its own there.
import { Address } from '@ton/core';
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import type { TraceRowSources } from '../src/editor/traces/traceRows';
import { traceRows } from '../src/editor/traces/traceRows';
import { createAccess } from '../src/toolkit/access/createAccess';
import { traceSourceOf } from '../src/toolkit/access/traceSourceOf';
import { keepNewest } from '../src/toolkit/base/collections';
import { namedAccounts } from '../src/toolkit/localnet/accounts/namedAccounts';
import { chainStatus } from '../src/toolkit/localnet/control/localnetStatus';
import { createServer } from '../src/toolkit/localnet/server/createServer';
import { systemClock } from '../src/toolkit/base/time';
import type { TraceSource } from '../src/toolkit/trace/readTraces';
import { LiveLines, listedLine } from '../src/toolkit/trace/liveLines';
import type { FeedState } from '../src/toolkit/trace/traceFeed';
import { TraceFeed } from '../src/toolkit/trace/traceFeed';
import type { TraceModel } from '../src/toolkit/trace/traceModel';
import { describeTrace } from '../src/toolkit/workflows/describeTrace';
import { collectGarbage } from './support/collectGarbage';
import { watchTurns } from './support/longestTurn';
import { median } from './support/median';
import { report } from './support/report';
import { openSpreadingChain } from './support/openSpreadingChain';
import { spreadMessage } from './support/spreadingEmulator';

/** Seconds that each network is followed. */
const seconds = Number(process.env['TONWB_BENCH_SECONDS'] ?? 15);
/** Milliseconds between two blocks. */
const blockMs = 200;
/** Maximum rows that the view shows, and whole traces that the list keeps, as in the editor. */
const shownRows = 200;
const wholeTraces = 200;

/** What the network does in a second, as traces of equal size. */
interface Load {
  traces: number;
  /** Messages of the wallet that each trace begins with; each has one more transaction. */
  messages: number;
}

const quiet: Load = { traces: 1, messages: 1 };
const short: Load = { traces: 50, messages: 9 };
const fans: Load = { traces: 5, messages: 99 };

/** The other process: makes blocks, and reports each one. */
async function runNetwork({ traces, messages }: Load): Promise<void> {
  const { chain } = await openSpreadingChain();
  const server = await createServer(chain);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const wallets = namedAccounts.filter(({ kind }) => kind === 'v5r1');
  const began = performance.now();
  let sent = 0;
  const makeBlock = async (): Promise<void> => {
    for (const due = ((performance.now() - began) / 1_000) * traces; sent < due; sent += 1) {
      const wallet = Address.parseRaw(wallets[sent % wallets.length]!.address);
      await chain.submit(spreadMessage(wallet, sent * messages, messages));
    }
    await chain.mine();
    const { chain: id, turns, transactions } = chainStatus(chain);
    process.send?.({ port, state: { chain: id, turns, transactions } } satisfies Block);
    setTimeout(() => void makeBlock(), blockMs);
  };
  await makeBlock();
}

/** What the network's process reports about a block. */
interface Block {
  port: number;
  state: FeedState;
}

interface Cost {
  /** Transactions that the network made in a second. */
  made: number;
  /** Share of the thread's time, 0 to 1. */
  share: number;
  longestTurn: number;
  refreshes: number;
  rows: number;
  memory: number;
  /** Median milliseconds of a request for traces. */
  wait: number;
}

async function follow(load: Load): Promise<Cost> {
  const network = fork(process.argv[1]!, ['network', JSON.stringify(load)]);
  const first = await nextBlock(network);
  const v3 = `http://127.0.0.1:${first.port}/api/v3`;
  const access = createAccess({ network: { name: 'Local', kind: 'local', globalId: -3, v3 } });
  const lines = new LiveLines();
  const whole = new Map<string, TraceModel>();
  const waits: number[] = [];
  let refreshes = 0;
  let changedRows = 0;
  const feed = new TraceFeed({
    lines,
    source: () => Promise.resolve(timed(traceSourceOf(access), waits)),
    describe: async (model, chain) => {
      const context = await describeTrace(model, {});
      const key = model.id ?? '';
      keepNewest(whole, key, model, wholeTraces);
      return listedLine(context, { key, network: 'Local', chain, isMine: false });
    },
    onChange: (fresh) => {
      refreshes += 1;
      changedRows += fresh.length;
      traceRows(rowsOf(lines));
    },
    onError: (error) => {
      throw error;
    },
    clock: systemClock,
  });
  feed.watch(true);
  const before = usedMemory();
  const began = performance.now();
  let { state } = first;
  network.on('message', ({ state: now }: Block) => {
    state = now;
    feed.tell(now);
  });
  feed.tell(state);
  const cpu = process.cpuUsage();
  const measured = performance.now();
  await passed(seconds / 2);
  const { user, system } = process.cpuUsage(cpu);
  const share = (user + system) / 1_000 / (performance.now() - measured);
  // Watching keeps the thread busy, so its share is measured before.
  const watched = watchTurns();
  await passed(seconds / 2);
  const longest = watched();
  const took = performance.now() - began;
  feed.close();
  network.removeAllListeners();
  network.kill();
  return {
    made: (state.transactions - first.state.transactions) / (took / 1_000),
    share,
    longestTurn: longest.cpu,
    refreshes: refreshes / (took / 1_000),
    rows: changedRows / (took / 1_000),
    wait: median(waits),
    memory: (usedMemory() - before) / 1_048_576,
  };
}

function timed(source: TraceSource, waits: number[]): TraceSource {
  return {
    ...source,
    request: async (...parameters) => {
      const began = performance.now();
      try {
        return await source.request(...parameters);
      } finally {
        waits.push(performance.now() - began);
      }
    },
  };
}

function passed(some: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, some * 1_000));
}

function nextBlock(network: ChildProcess): Promise<Block> {
  return new Promise((resolve, reject) => {
    network.once('message', (block) => resolve(block as Block));
    network.once('exit', (code) => reject(new Error(`the network ended with ${code}`)));
  });
}

function rowsOf(lines: LiveLines): TraceRowSources {
  const traces = { list: () => [], find: () => undefined };
  const live = { local: () => lines.list(), earlier: () => [] };
  return { traces, live, isShown: () => true, most: shownRows } as unknown as TraceRowSources;
}

function usedMemory(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function measure(): Promise<void> {
  const idle = await follow(quiet);
  for (const [name, load] of [
    ['50 traces of 10 transactions', short],
    ['5 traces of 100 transactions', fans],
  ] as const) {
    const cost = await follow(load);
    const what = `${name} a second`;
    report([
      { name: `${what}: transactions made`, ours: cost.made, unit: '/s' },
      {
        name: `${what}: share of the thread`,
        ours: cost.share * 100,
        peer: idle.share * 100,
        peerName: '2 transactions a second',
        unit: '%',
        goal: '<= 25 %',
      },
      { name: `${what}: CPU of the longest turn`, ours: cost.longestTurn, unit: 'ms', goal: '<= 100 ms' },
      {
        name: `${what}: refreshes of the view`,
        ours: cost.refreshes,
        peer: idle.refreshes,
        peerName: '2 transactions a second',
        unit: '/s',
        goal: '<= 3 /s',
      },
      {
        name: `${what}: an answer takes`,
        ours: cost.wait,
        peer: idle.wait,
        peerName: '2 transactions a second',
        unit: 'ms',
      },
      { name: `${what}: new rows`, ours: cost.rows, unit: '/s' },
      { name: `${what}: memory`, ours: cost.memory, unit: 'MiB', goal: '<= 96 MiB' },
    ]);
  }
}

const [, , mode, load = '{}'] = process.argv;
if (mode === 'network') {
  process.once('disconnect', () => process.exit());
  await runNetwork(JSON.parse(load) as Load);
} else {
  await measure();
  process.exit();
}
