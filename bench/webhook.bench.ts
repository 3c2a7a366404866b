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
import { samplePayload } from '../src/toolkit/webhook/payload/samplePayload';
import { signBody } from '../src/toolkit/webhook/delivery/signature';
import { startWebhookListener } from '../src/toolkit/webhook/listener/startWebhookListener';
import { median } from './support/median';
import { report } from './support/report';
import { load, rawPost } from './support/webhookLoad';
import type { LoadResult } from './support/webhookLoad';

/*
 * Deliveries per second: our listener (signature, schema, rules, journal before the answer) compared with
 * servers that do less. Each server runs in its own thread, the load comes from this one, and rounds
 * alternate.
 */

const secret = 'whsec_bench';
const header = 'x-tonpay-signature';

type PeerName = 'bare' | 'express';

/** Reads the body, verifies its HMAC, and answers: the minimum that a receiver can do. */
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

/** The receiver as documented by the payment service's client. */
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

/** Signed deliveries, each with a different reference. */
function deliveries(count: number, commentBytes: number): Buffer[] {
  return Array.from({ length: count }, () => {
    const payload = samplePayload();
    payload.data.commentToSender = 'x'.repeat(commentBytes);
    const body = Buffer.from(JSON.stringify(payload));
    return rawPost('/webhook', { 'X-TonPay-Signature': signBody(body, secret) }, body);
  });
}

interface BenchServer {
  port: number;
  stop(): Promise<void>;
}

async function startOurs(): Promise<BenchServer> {
  const journalDirectory = await mkdtemp(path.join(tmpdir(), 'webhook-bench-'));
  const listener = await startWebhookListener({
    port: 0,
    secrets: [{ name: 'bench', value: secret }],
    journalDirectory,
  });
  const stop = async (): Promise<void> => {
    await listener.close();
    await rm(journalDirectory, { recursive: true });
  };
  return { port: listener.port, stop };
}

async function startPeer(name: PeerName): Promise<BenchServer> {
  const worker = new Worker(new URL(import.meta.url), { workerData: name });
  const port = await new Promise<number>((resolve, reject) =>
    worker.once('message', resolve).once('error', reject),
  );
  return { port, stop: () => worker.terminate().then(() => undefined) };
}

type Name = PeerName | 'ours';

/** Rounds alternate, so that other load on the machine affects all equally; cold code is not measured. */
async function compete(
  servers: Readonly<Record<Name, BenchServer>>,
  requests: readonly Buffer[],
  connections: number,
): Promise<Record<Name, LoadResult[]>> {
  const results: Record<Name, LoadResult[]> = { ours: [], bare: [], express: [] };
  const names: readonly Name[] = ['bare', 'ours', 'express'];
  for (const name of names) {
    await load(servers[name].port, requests, { connections, ms: 3_000 });
  }
  for (let round = 0; round < 4; round++) {
    for (const name of names) {
      results[name].push(await load(servers[name].port, requests, { connections, ms: 1_200 }));
    }
  }
  return results;
}

async function measure(): Promise<void> {
  const servers = {
    ours: await startOurs(),
    bare: await startPeer('bare'),
    express: await startPeer('express'),
  };
  const rounds = await compete(servers, deliveries(80_000, 0), 64);
  const p99 = await compete(servers, deliveries(2_000, 64 * 1024), 64);
  await Promise.all(Object.values(servers).map((server) => server.stop()));
  const rate = (results: readonly LoadResult[]): number => median(results.map((one) => one.perSecond));
  const slow = (results: readonly LoadResult[]): number => median(results.map((one) => one.p99));
  const peers = {
    bare: 'bare node:http with HMAC',
    express: 'express with @ton-pay/api',
  } as const;
  const row = { name: 'deliveries, verified and journaled', ours: rate(rounds.ours), unit: '/s' };
  const tail = { name: 'p99 at 64 KiB, 64 connections', ours: slow(p99.ours), unit: 'ms' };
  report([
    { ...row, peer: rate(rounds.bare), peerName: peers.bare },
    { ...row, peer: rate(rounds.express), peerName: peers.express, goal: '>= 2' },
    { ...tail, peer: slow(p99.bare), peerName: peers.bare },
    { ...tail, peer: slow(p99.express), peerName: peers.express, goal: '<= 1' },
  ]);
}
