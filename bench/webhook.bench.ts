import { createHmac, timingSafeEqual } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { verifySignature } from '@ton-pay/api';
import express from 'express';
import { samplePayload } from '../src/toolkit/webhook/samplePayload';
import { signBody } from '../src/toolkit/webhook/signature';
import { startWebhookListener } from '../src/toolkit/webhook/startWebhookListener';
import { median } from './support/median';
import { report } from './support/report';
import { load, rawPost } from './support/webhookLoad';
import type { LoadResult } from './support/webhookLoad';

/*
 * Deliveries per second: our listener (signature, schema, rules, journal before the answer) beside servers that do less.
 * Each server runs in a thread of its own, the load comes from this one; rounds alternate.
 */

const secret = 'whsec_bench';
const header = 'x-tonpay-signature';

type PeerName = 'bare' | 'express';

/** Reads the body, verifies its HMAC, answers: the least that a receiver can do. */
const bare: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .on('end', () => {
      const expected = `sha256=${createHmac('sha256', secret).update(Buffer.concat(chunks)).digest('hex')}`;
      const given = Buffer.from(String(request.headers[header]));
      const ok = given.length === expected.length && timingSafeEqual(given, Buffer.from(expected));
      response.writeHead(ok ? 200 : 401, { 'Content-Type': 'application/json' });
      response.end(ok ? '{"received":true}' : '{"received":false}');
    });
};

/** The receiver that the payment service's client documents. */
function documented(): RequestListener {
  const app = express();
  app.use(express.json({ limit: '2mb' }));
  app.post('/webhook', (request, response) => {
    const body = request.body as object;
    if (!verifySignature(body, String(request.headers[header]), secret)) {
      response.status(401).json({ error: 'Invalid signature' });
      return;
    }
    response.status(200).json({ received: true });
  });
  return app;
}

if (isMainThread) {
  await measure();
} else {
  const server = createServer((workerData as PeerName) === 'bare' ? bare : documented());
  server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
}

/** Signed deliveries, each with a reference of its own. */
function deliveries(count: number, commentBytes: number): Buffer[] {
  return Array.from({ length: count }, () => {
    const payload = samplePayload();
    payload.data.commentToSender = 'x'.repeat(commentBytes);
    const body = Buffer.from(JSON.stringify(payload));
    return rawPost('/webhook', { 'X-TonPay-Signature': signBody(body, secret) }, body);
  });
}

async function againstOurs(
  requests: readonly Buffer[],
  how: Parameters<typeof load>[2],
): Promise<LoadResult> {
  const journalDirectory = await mkdtemp(path.join(tmpdir(), 'webhook-bench-'));
  const listener = await startWebhookListener({
    port: 0,
    secrets: [{ name: 'bench', value: secret }],
    journalDirectory,
  });
  try {
    await load(listener.port, requests.slice(-500), { ...how, ms: 500 });
    return await load(listener.port, requests, how);
  } finally {
    await listener.close();
    await rm(journalDirectory, { recursive: true });
  }
}

async function againstPeer(
  name: PeerName,
  requests: readonly Buffer[],
  how: Parameters<typeof load>[2],
): Promise<LoadResult> {
  const worker = new Worker(new URL(import.meta.url), { workerData: name });
  try {
    const port = await new Promise<number>((resolve, reject) =>
      worker.once('message', resolve).once('error', reject),
    );
    await load(port, requests.slice(-500), { ...how, ms: 500 });
    return await load(port, requests, how);
  } finally {
    await worker.terminate();
  }
}

async function measure(): Promise<void> {
  const small = deliveries(60_000, 0);
  const large = deliveries(2_000, 64 * 1024);
  const rounds = { ours: [] as LoadResult[], bare: [] as LoadResult[], express: [] as LoadResult[] };
  const p99 = { ours: [] as LoadResult[], bare: [] as LoadResult[], express: [] as LoadResult[] };
  for (let round = 0; round < 3; round++) {
    const how = { connections: 64, ms: 2_000 };
    rounds.bare.push(await againstPeer('bare', small, how));
    rounds.ours.push(await againstOurs(small, how));
    rounds.express.push(await againstPeer('express', small, how));
    const calm = { connections: 4, ms: 2_000 };
    p99.bare.push(await againstPeer('bare', large, calm));
    p99.ours.push(await againstOurs(large, calm));
    p99.express.push(await againstPeer('express', large, calm));
  }
  const rate = (results: readonly LoadResult[]): number => median(results.map((one) => one.perSecond));
  const slow = (results: readonly LoadResult[]): number => median(results.map((one) => one.p99));
  const peers = {
    bare: 'bare node:http with HMAC',
    express: 'express with @ton-pay/api',
  } as const;
  const row = { name: 'deliveries, verified and journaled', ours: rate(rounds.ours), unit: '/s' };
  const tail = { name: 'p99 at 64 KiB, 4 connections', ours: slow(p99.ours), unit: 'ms' };
  report([
    { ...row, peer: rate(rounds.bare), peerName: peers.bare, goal: '>= 0.6' },
    { ...row, peer: rate(rounds.express), peerName: peers.express, goal: '>= 2' },
    { ...tail, peer: slow(p99.bare), peerName: peers.bare },
    { ...tail, peer: slow(p99.express), peerName: peers.express },
  ]);
}
