import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import type { Access } from '../src/toolkit/access/createAccess';
import { createAccess, createFetchTransport } from '../src/toolkit/access/createAccess';
import { createUndiciTransport } from '../src/toolkit/access/createUndiciTransport';
import type { Transport } from '../src/toolkit/access/transport';
import { v3Endpoints } from '../src/toolkit/access/v3/v3Endpoints';
import { answerReader } from '../src/toolkit/api/answerReader';
import { traceFixtures } from '../test/support/traceFixtures';
import { collectGarbage } from './support/collectGarbage';
import { median } from './support/median';
import type { BenchRow } from './support/report';
import { report } from './support/report';

const tracesReader = answerReader(v3Endpoints.traces.result);

/** A /traces answer of about five megabytes: the recordings repeated, each time with different hashes. */
function largeAnswer(): string {
  const recordings = traceFixtures().map(({ text }) => JSON.stringify((JSON.parse(text) as Traces).traces));
  const parts: string[] = [];
  let length = 0;
  for (let copy = 0; length < 5_050_000; copy++) {
    const recording = recordings[copy % recordings.length] ?? '';
    const part = recording
      .slice(1, -1)
      .replace(/"([A-Za-z0-9+/]{43}=)"/g, (_, hash: string) => `"${otherHash(hash, copy)}"`);
    parts.push(part);
    length += part.length;
  }
  return `{"traces":[${parts.join(',')}],"address_book":{},"metadata":{}}`;
}
interface Traces {
  traces: unknown[];
}

function otherHash(hash: string, salt: number): string {
  return createHash('sha256').update(`${salt}${hash}`).digest('base64');
}

/**
 * Milliseconds of each piece of work: the best of several runs, which alternate, because other load on the
 * machine can only slow them down.
 */
function timeInTurns(runs: number, works: readonly (() => unknown)[]): number[] {
  const times = works.map((): number[] => []);
  for (let run = -5; run < runs; run++) {
    works.forEach((work, index) => {
      const began = performance.now();
      work();
      if (run >= 0) {
        times[index]?.push(performance.now() - began);
      }
    });
  }
  return times.map((all) => Math.min(...all));
}

function decoding(text: string): BenchRow[] {
  const [parse = NaN, check = NaN, decode = NaN] = timeInTurns(31, [
    () => JSON.parse(text) as unknown,
    () => tracesReader.check(JSON.parse(text)),
    () => tracesReader.decode(JSON.parse(text)),
  ]);
  const size = `${(text.length / 1e6).toFixed(1)} MB of traces`;
  const peer = { peer: parse, peerName: 'JSON.parse', unit: 'ms' };
  return [
    { name: `access: ${size}, parsed and checked`, ours: check, ...peer, goal: '<= 2.0' },
    { name: `access: ${size}, parsed, checked, converted`, ours: decode, ...peer, goal: '<= 3.0' },
  ];
}

/** Growth of the heap, in MiB, while 100 large answers are read in sequence. */
function memory(text: string): BenchRow {
  const used = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  const readOne = (): void => {
    const read = tracesReader.decode(JSON.parse(text));
    if ('failure' in read) {
      throw new Error(JSON.stringify(read.failure));
    }
  };
  for (let warm = 0; warm < 10; warm++) {
    readOne();
  }
  const before = used();
  for (let run = 0; run < 100; run++) {
    readOne();
  }
  return {
    name: 'access: heap after 100 such answers',
    ours: used() - before,
    unit: 'MiB',
    goal: '<= 5 MiB',
  };
}

/** A server in a separate process that answers every request with the same 1.5 KB. */
async function startServer(): Promise<{ origin: string; stop: () => void }> {
  const information = {
    '@type': 'raw.fullAccountState',
    balance: '1234567890123',
    code: 'A'.repeat(700),
    data: 'B'.repeat(400),
    last_transaction_id: {
      '@type': 'internal.transactionId',
      lt: '57605165000001',
      hash: `${'A'.repeat(43)}=`,
    },
    frozen_hash: '',
    sync_utime: 1748275423,
    state: 'active',
  };
  const body = JSON.stringify({ ok: true, result: information, '@extra': '1748275423:0:0.1' });
  const source = `
    const body = ${JSON.stringify(body)};
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const server = require('node:http').createServer((request, response) => {
      response.writeHead(200, headers);
      response.end(body);
    });
    server.listen(0, '127.0.0.1', () => console.log(server.address().port));
    process.stdin.on('end', () => process.exit()).resume();`;
  const child = spawn(process.execPath, ['-e', source], { stdio: ['pipe', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', resolve);
    child.once('error', reject);
  });
  return { origin: `http://127.0.0.1:${port.trim()}`, stop: () => child.stdin.end() };
}

const connections = 20;

/**
 * Requests per second of this process's CPU time, with `ask` called 20 at a time. The client is the
 * bottleneck, so an idle machine gives the same per second of wall time; time taken by other processes does
 * not count.
 */
async function pace(ask: (index: number) => Promise<unknown>, count: number): Promise<number> {
  let next = 0;
  const loop = async (): Promise<void> => {
    while (next < count) {
      await ask(next++);
    }
  };
  const began = process.cpuUsage();
  await Promise.all(Array.from({ length: connections }, loop));
  const { user, system } = process.cpuUsage(began);
  return (count / (user + system)) * 1e6;
}

async function paceInTurns(asks: readonly ((index: number) => Promise<unknown>)[]): Promise<number[]> {
  const paces = asks.map((): number[] => []);
  for (let turn = -1; turn < 7; turn++) {
    for (const [index, ask] of asks.entries()) {
      // Garbage of the previous measurement is collected during a run that does not count.
      await pace(ask, 1000);
      const result = await pace(ask, 3000);
      if (turn >= 0) {
        paces[index]?.push(result);
      }
    }
  }
  return paces.map(median);
}

async function requests(): Promise<BenchRow[]> {
  const { origin, stop } = await startServer();
  const ours = createUndiciTransport();
  const agent = new Agent();
  const base = `${origin}/api/v2`;
  const network = { name: 'Bench', kind: 'custom', v2: base, globalId: -239 } as const;
  const address = `0:${'ab'.repeat(32)}`;
  // Identical reads in flight would be joined, so each asks for another block.
  const through = (access: Access) => (index: number) =>
    access.v2.getAddressInformation({ address, seqno: index + 1 });
  const target = (index: number): string =>
    `/api/v2/getAddressInformation?address=${address}&seqno=${index + 1}`;
  const fetchTransport = createFetchTransport();
  const overTransport =
    (transport: Transport) =>
    async (index: number): Promise<unknown> => {
      const answer = await transport({
        method: 'GET',
        url: origin + target(index),
        headers: { accept: 'application/json' },
        signal: new AbortController().signal,
        maximumBytes: 2 ** 26,
      });
      return JSON.parse(answer.body.toString()) as unknown;
    };
  const paces = await paceInTurns([
    async (index) => {
      const answer = await request.call(agent, { origin, path: target(index), method: 'GET' });
      return answer.body.json();
    },
    overTransport(ours.transport),
    through(createAccess({ network, transport: ours.transport })),
    async (index): Promise<unknown> => (await fetch(origin + target(index))).json(),
    overTransport(fetchTransport),
    through(createAccess({ network, transport: fetchTransport })),
  ]);
  await Promise.all([ours.close(), agent.destroy()]);
  stop();
  const [bareUndici = NaN, undici = NaN, overUndici = NaN, bareFetch = NaN, fetched = NaN, overFetch = NaN] =
    paces;
  const unit = 'requests/s of own time';
  const byUndici = { peer: bareUndici, peerName: 'undici.request', unit };
  const byFetch = { peer: bareFetch, peerName: 'fetch', unit };
  return [
    { name: 'access: the undici transport', ours: undici, ...byUndici, goal: '>= 0.5' },
    { name: 'access: whole reads over undici, limiter off', ours: overUndici, ...byUndici, goal: '>= 0.5' },
    { name: 'access: the fetch transport', ours: fetched, ...byFetch, goal: '>= 0.7' },
    { name: 'access: whole reads over fetch, limiter off', ours: overFetch, ...byFetch },
  ];
}

const text = largeAnswer();
const rows = [...(await requests()), ...decoding(text)];
// Last: its forced collections change how everything after them runs.
report([...rows, memory(text)]);
