import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { fastify } from 'fastify';
import type { Access } from '../src/toolkit/access/createAccess';
import { createAccess } from '../src/toolkit/access/createAccess';
import { resolveNetwork } from '../src/toolkit/access/resolveNetwork';
import { namedAccounts } from '../src/toolkit/localnet/accounts/namedAccounts';
import { startLocalnet } from '../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../src/toolkit/base/log';
import { startPayments } from '../src/toolkit/payments/startPayments';
import { median } from './support/median';
import { percentile } from './support/percentile';
import { report } from './support/report';
import { load, rawPost } from './support/webhookLoad';

/*
 * Creating payments compared with a bare Fastify that reads and answers JSON; lookups with few and many payments; and how
 * long after its message was sent a payment's webhook arrives. Each server runs in its own thread.
 */

const createPath = '/api/merchant/v1/create-transfer';
const [alice, bob] = namedAccounts.map(({ address }) => address);
const order = {
  amount: 1.5,
  asset: 'TON',
  senderAddr: alice,
  recipientAddr: bob,
  commentToRecipient: 'order',
};
const blockDelayMs = 20;

if (isMainThread) {
  await measure();
} else if (workerData === 'bare') {
  const server = fastify();
  server.post(createPath, (request) => ({
    message: { address: bob, amount: '1500000000', payload: JSON.stringify(request.body) },
    bodyBase64Hash: 'x'.repeat(44),
    reference: randomUUID(),
  }));
  await server.listen({ port: 0, host: '127.0.0.1' });
  parentPort?.postMessage((server.server.address() as AddressInfo).port);
} else {
  // Coins need nothing of a network but its newest block, so that the API alone is measured.
  const access = {
    network: { name: 'Local', kind: 'local' },
    v3: {
      masterchainInfo: () => Promise.resolve({ last: { seqno: 1, root_hash: 'a'.repeat(64) } }),
      topAccountsByBalance: () => Promise.resolve([]),
    },
  } as unknown as Access;
  const payments = await startPayments({ access, port: 0, journalDirectory: workerData as string });
  parentPort?.postMessage(Number(new URL(payments.url).port));
}

async function start(what: string): Promise<{ port: number; stop: () => Promise<unknown> }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: what });
  const port = await new Promise<number>((resolve, reject) =>
    worker.once('message', resolve).once('error', reject),
  );
  return { port, stop: () => worker.terminate() };
}

/** Creates so many payments, and returns requests for a thousand of them. */
async function fill(port: number, count: number): Promise<Buffer[]> {
  const references: string[] = [];
  const one = async (): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${port}${createPath}`, {
      method: 'POST',
      body: JSON.stringify(order),
    });
    const { reference } = (await answer.json()) as { reference: string };
    references.push(reference);
  };
  for (let done = 0; done < count; done += 100) {
    await Promise.all(Array.from({ length: 100 }, one));
  }
  const step = references.length / 1_000;
  return Array.from({ length: 1_000 }, (_, index) =>
    Buffer.from(
      `GET /api/merchant/v1/transfer?reference=${references[Math.floor(index * step)]} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
    ),
  );
}

async function measure(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'payments-bench-'));
  const [bare, ours, few, many] = await Promise.all(
    ['bare', ...['ours', 'few', 'many'].map((name) => path.join(folder, name))].map(start),
  );
  if (bare === undefined || ours === undefined || few === undefined || many === undefined) {
    throw new Error('the servers are four');
  }
  const post = [rawPost(createPath, {}, Buffer.from(JSON.stringify(order)))];
  const created = { bare: [] as number[], ours: [] as number[] };
  for (let round = 0; round < 6; round++) {
    for (const [name, { port }] of Object.entries({ bare, ours })) {
      const { perSecond } = await load(port, post, { connections: 32, ms: 400 });
      if (round > 0) {
        created[name as keyof typeof created].push(perSecond);
      }
    }
  }
  const requests = { few: await fill(few.port, 1_000), many: await fill(many.port, 100_000) };
  const looked = { few: [] as number[], many: [] as number[] };
  for (let round = 0; round < 6; round++) {
    for (const [name, { port }] of Object.entries({ few, many })) {
      const key = name as keyof typeof looked;
      const { perSecond } = await load(port, requests[key], { connections: 32, ms: 1_000 });
      if (round > 0) {
        looked[key].push(1e6 / perSecond);
      }
    }
  }
  await Promise.all([bare, ours, few, many].map(({ stop }) => stop()));
  const delays = await deliveryDelays(path.join(folder, 'delays'));
  await rm(folder, { recursive: true, force: true });
  report([
    {
      ...{ name: 'payments created', ours: median(created.ours), unit: '/s' },
      ...{ peer: median(created.bare), peerName: 'bare Fastify', goal: '>= 0.6' },
    },
    {
      ...{ name: 'lookup with 100,000 payments', ours: median(looked.many), unit: 'µs' },
      ...{ peer: median(looked.few), peerName: 'with 1,000', goal: '<= 1.2' },
    },
    {
      ...{ name: `paid to delivered, p95, blocks after ${blockDelayMs} ms`, ours: percentile(delays, 0.95) },
      ...{ unit: 'ms', goal: `<= ${blockDelayMs + 60} ms` },
    },
  ]);
}

/** Milliseconds from handing a payment's message over to its webhook. */
async function deliveryDelays(journalDirectory: string): Promise<number[]> {
  const network = await startLocalnet({ port: 0, blockDelayMs, log: silentLog });
  let arrived = (): void => undefined;
  const shop = createServer((request, response) => {
    arrived();
    request.resume();
    response.end();
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  const webhookUrl = new URL(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/webhook`);
  let sentAt = 0;
  const access = createAccess({ network: resolveNetwork(network.v2).network });
  // The clock starts when the signed message is handed over.
  const sendBoc: typeof access.v2.sendBoc = (...call) => {
    sentAt = performance.now();
    return access.v2.sendBoc(...call);
  };
  const payments = await startPayments({
    access: { ...access, v2: { ...access.v2, sendBoc } },
    ...{ port: 0, journalDirectory, settings: () => ({ webhookUrl }) },
  });
  const delays: number[] = [];
  for (let count = 0; count < 120; count++) {
    const answer = await fetch(payments.url + createPath, { method: 'POST', body: JSON.stringify(order) });
    const { reference } = (await answer.json()) as { reference: string };
    const delivered = new Promise<number>((resolve) => (arrived = () => resolve(performance.now())));
    await payments.pay(reference);
    const delay = (await delivered) - sentAt;
    if (count >= 20) {
      delays.push(delay);
    }
  }
  await payments.close();
  shop.close();
  await network.close();
  return delays;
}
