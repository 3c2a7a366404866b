import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { verifySignature } from '@ton-pay/api';
import express from 'express';
import fc from 'fast-check';
import { checkedRows } from '../support/checkedRows';
import type { CheckRow } from '../../src/toolkit/webhook/check/shopRules';
import { OrderBook } from '../../src/toolkit/webhook/orders/orderBook';
import { receive } from '../../src/toolkit/webhook/listener/receive';
import { signBody, verifySignature as ourVerify } from '../../src/toolkit/webhook/delivery/signature';
import { tonPay } from '../../src/toolkit/webhook/provider/tonPay';
import { bytes, payload, secret, signed } from '../unit/webhook/support/sample';
import { closeServer, listen } from '../unit/webhook/support/receiver';
import { mutate, seeded } from './support/mutateDelivery';

const secrets = [{ name: 'shop', value: secret }];
const names = ['X-TonPay-Signature'];

const accepts = (value: string, body: Buffer, key = secret): boolean =>
  ourVerify([['x-tonpay-signature', value]], body, [{ name: 'k', value: key }], names).ok;

describe("webhooks and the payment service's own client", () => {
  it('accepts our signatures, for any text and secret', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme', minLength: 1 }),
        (text, key) => {
          assert.equal(verifySignature(text, signBody(bytes(text), key), key), true);
        },
      ),
    );
  });

  it('agrees with us on every spelling of a value', () => {
    const text = JSON.stringify(payload());
    const good = signBody(bytes(text), secret);
    const hex = good.slice(7);
    const values = [
      good,
      hex,
      good.toUpperCase(),
      `SHA256=${hex}`,
      `sha256=${hex.toUpperCase()}`,
      `sha256=${Buffer.from(hex, 'hex').toString('base64')}`,
      ` ${good}`,
      `${good} `,
      `${good}\n`,
      good.slice(0, -1),
      `${good}0`,
      'sha256=',
      '',
    ];
    for (const body of [text, `${text}\n`, JSON.stringify(payload(), null, 2), `\ufeff${text}`]) {
      for (const value of values) {
        assert.equal(
          accepts(value, bytes(body)),
          verifySignature(body, value, secret),
          JSON.stringify([value, body]),
        );
      }
    }
  });

  const count = process.env['TONWB_LONG'] === '1' ? 200_000 : 5_000;
  it(`refuses the same as we do, in ${count.toLocaleString('en')} mutated deliveries`, () => {
    const random = seeded(20_260_115);
    const context = { provider: tonPay, secrets, signatureHeaders: names, orders: new OrderBook() };
    let accepted = 0;
    let verified = 0;
    for (let number = 0; number < count; number++) {
      const { body, value, what } = mutate(random);
      const outcome = receive(value === undefined ? [] : [['X-TonPay-Signature', value]], body, context);
      // The client reads text: bytes that are not UTF-8 reach it with replacement characters.
      const oracle = verifySignature(body.toString('utf8'), value as string, secret);
      if (outcome.status === 200) {
        accepted += 1;
        assert.ok(oracle, `accepted, though the client refuses it: ${what}`);
      }
      if (oracle) {
        verified += 1;
        assert.ok(outcome.signature?.ok, `signature refused, though the client accepts it: ${what}`);
      }
    }
    assert.ok(accepted > count / 50 && verified > accepted, `${accepted} accepted, ${verified} verified`);
    assert.ok(verified < count / 2, 'most are bad');
  });
});

/** In this environment express writes no stack of a refused body to the console. */
function quietExpress(): express.Express {
  return express().set('env', 'test');
}

describe('checked webhook receivers with express', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map(closeServer));
  });

  async function check(app: RequestListener): Promise<readonly CheckRow[]> {
    const server = createServer(app);
    servers.push(server);
    const url = new URL('/webhook', await listen(server));
    return checkedRows({ url, secret });
  }
  const broken = (rows: readonly CheckRow[]): string[] =>
    rows.filter(({ ok }) => !ok).map(({ scenario, rule }) => `${scenario}: ${rule}`);

  /** The receiver that the package documents: parsed JSON in, verifySignature, 400 for other events. */
  function documented(): express.Express {
    const app = quietExpress();
    app.use(express.json());
    app.post('/webhook', (request, response) => {
      const signature = request.headers['x-tonpay-signature'] as string;
      const body = request.body as { event: string };
      if (!verifySignature(body, signature, secret)) {
        response.status(401).json({ error: 'Invalid signature' });
        return;
      }
      if (body.event !== 'transfer.completed') {
        response.status(400).json({ error: 'Unexpected event type' });
        return;
      }
      response.status(200).json({ received: true });
    });
    return app;
  }

  it('have exactly the known faults, if written as documented', async () => {
    const rows = await check(documented());
    assert.deepEqual(broken(rows), [
      'success: accept the signature in X-Pay-Signature alone',
      'reserialized: verify the raw bytes: refuse re-serialized JSON with 401',
      'reserialized: accept a signed body regardless of whitespace',
    ]);
    const reserialized = rows.filter(({ scenario, ok }) => scenario === 'reserialized' && !ok);
    assert.ok(reserialized.every(({ note }) => /parsed|re-serialized/.test(note ?? '')));
  });

  it('have no faults once they verify the raw bytes, under either name', async () => {
    const app = quietExpress();
    app.post('/webhook', express.raw({ type: '*/*', limit: '1mb' }), (request, response) => {
      const raw = request.body as Buffer;
      const { 'x-pay-signature': documented, 'x-tonpay-signature': sdk } = request.headers;
      if (!verifySignature(raw.toString('utf8'), (documented ?? sdk) as string, secret)) {
        response.sendStatus(401);
        return;
      }
      try {
        const body = JSON.parse(raw.toString('utf8')) as { event: string };
        response.sendStatus(body.event === 'transfer.completed' ? 200 : 400);
      } catch {
        response.sendStatus(400);
      }
    });
    assert.deepEqual(broken(await check(app)), []);
  });

  it('are caught if they forget the signature, answer repeats with 409, or fail on unknown orders', async () => {
    const app = quietExpress();
    const seen = new Set<string>();
    app.use(express.json());
    app.post('/webhook', (request, response) => {
      const { data } = request.body as { data: { reference: string; status: string } };
      if (data.reference.startsWith('unknown')) {
        throw new Error('no such order');
      }
      if (seen.has(data.reference)) {
        response.sendStatus(409);
        return;
      }
      seen.add(data.reference);
      response.sendStatus(data.status === 'success' ? 200 : 422);
    });
    app.use(((_error, _request, response, _next) => response.sendStatus(500)) as express.ErrorRequestHandler);
    const found = new Set((await check(app)).filter(({ ok }) => !ok).map(({ scenario }) => scenario));
    for (const scenario of [
      'failed',
      'duplicate',
      'concurrent',
      'retry',
      'wrong-secret',
      'altered',
      'reserialized',
      'no-signature',
      'unknown-reference',
    ] as const) {
      assert.ok(found.has(scenario), scenario);
    }
    assert.ok(!found.has('success') && !found.has('slow'));
  });

  it('get signatures as the client expects them', () => {
    const body = bytes(payload());
    assert.equal(verifySignature(body.toString(), signed(body)[1], secret), true);
  });
});
