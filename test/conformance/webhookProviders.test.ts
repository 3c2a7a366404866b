import express from 'express';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { systemClock } from '../../src/toolkit/base/time';
import { randomSecret } from '../../src/toolkit/webhook/delivery/secretForm';
import type { WebhookProvider } from '../../src/toolkit/webhook/provider/webhookProvider';
import { providerOf, standardWebhooks } from '../../src/toolkit/webhook/provider/providerOf';
import { checkedRows } from '../support/checkedRows';
import { closeServer, listen } from '../unit/webhook/support/receiver';

const key = fc.uint8Array({ minLength: 24, maxLength: 64 });
const secretOf = (bytes: Uint8Array): string => `whsec_${Buffer.from(bytes).toString('base64')}`;
const objectOf = (headers: readonly (readonly [string, string])[]): Record<string, string> =>
  Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));

const judges = {
  standardwebhooks: (secret: string) => new StandardWebhook(secret),
  svix: (secret: string) => new SvixWebhook(secret),
} as const;

describe('Standard Webhooks, with npm standardwebhooks and svix', () => {
  const names = Object.keys(judges) as (keyof typeof judges)[];

  for (const name of names) {
    it(`${name} verifies ours, and we verify theirs, over 10,000 random bodies`, () => {
      fc.assert(
        fc.property(
          fc.json({ stringUnit: 'binary' }),
          key,
          fc.integer({ min: 0, max: 2 }),
          (text, bytes, change) => {
            const secret = secretOf(bytes);
            const judge = judges[name](secret);
            const body = Buffer.from(text, 'utf8');
            const headers = standardWebhooks.sign(body, secret, []);
            judge.verify(text, objectOf(headers));
            const now = new Date();
            const theirs = judge.sign('msg_1', now, text);
            const sent = [
              ['webhook-id', change === 1 ? 'msg_2' : 'msg_1'],
              ['webhook-timestamp', String(Math.floor(now.getTime() / 1000))],
              ['webhook-signature', theirs],
            ] as const;
            const received = change === 2 ? Buffer.concat([body, Buffer.from(' ')]) : body;
            const ours = standardWebhooks.verify(sent, received, [{ name: 'k', value: secret }], []);
            assert.equal(ours.ok, change === 0);
            // Both refuse the same.
            const judged = (): unknown => judge.verify(received.toString(), objectOf(sent));
            if (change === 0) {
              judged();
            } else {
              assert.throws(judged);
            }
          },
        ),
        { numRuns: 10_000 },
      );
    });
  }

  it('take the secrets that are made here', () => {
    for (let count = 0; count < 100; count++) {
      const secret = randomSecret();
      const headers = objectOf(standardWebhooks.sign(Buffer.from('{}'), secret, []));
      names.forEach((name) => judges[name](secret).verify('{}', headers));
    }
  });

  it('have the same tolerance', () => {
    const secret = secretOf(Buffer.alloc(24, 7));
    const body = Buffer.from('{}');
    for (const seconds of [-600, -310, -290, 0, 290, 310, 600]) {
      const headers = standardWebhooks.sign(body, secret, [], systemClock.now() + seconds * 1000);
      const ours = standardWebhooks.verify(headers, body, [{ name: 'k', value: secret }], []).ok;
      assert.equal(ours, Math.abs(seconds) <= 300, String(seconds));
      for (const name of names) {
        const judged = (): unknown => judges[name](secret).verify('{}', objectOf(headers));
        if (ours) {
          judged();
        } else {
          assert.throws(judged, name);
        }
      }
    }
  });
});

/** A receiver that reads raw bytes; `check` decides whether they are genuine. */
function receiver(
  check: (body: Buffer, headers: Record<string, string>) => boolean,
  statuses: { ok?: number; forged?: number } = {},
): express.Express {
  const app = express().set('env', 'test');
  app.post('/webhook', express.raw({ type: () => true, limit: '1mb' }), (request, response) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    if (!check(body, request.headers as Record<string, string>)) {
      response.sendStatus(statuses.forged ?? 401);
      return;
    }
    let json: { event?: string };
    try {
      json = JSON.parse(body.toString()) as { event?: string };
    } catch {
      response.sendStatus(400);
      return;
    }
    const isOther = json.event !== undefined && json.event !== 'transfer.completed';
    response.sendStatus(isOther ? 400 : (statuses.ok ?? 200));
  });
  return app;
}

const token = 'a-token-of-this-webhook';
const bearer = (_body: Buffer, headers: Record<string, string>): boolean =>
  headers['authorization'] === `Bearer ${token}`;
const standardSecret = secretOf(Buffer.alloc(32, 3));
const standard = (body: Buffer, headers: Record<string, string>): boolean => {
  try {
    new SvixWebhook(standardSecret).verify(body.toString(), headers);
    return true;
  } catch {
    return false;
  }
};
const hmacSettings = {
  header: 'X-Hub-Signature-256',
  prefix: 'sha256=',
  encoding: 'hex',
  algorithm: 'sha256',
} as const;
const hmac = (body: Buffer, headers: Record<string, string>): boolean => {
  const expected = Buffer.from(`sha256=${createHmac('sha256', token).update(body).digest('hex')}`);
  const given = Buffer.from(headers['x-hub-signature-256'] ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
};
/** Signed over what JSON.parse and JSON.stringify make of it. */
const reserialized =
  (check: typeof hmac): typeof hmac =>
  (body, headers) => {
    try {
      return check(Buffer.from(JSON.stringify(JSON.parse(body.toString()))), headers);
    } catch {
      return false;
    }
  };
/** The library's own check without the time. */
const timeless = (body: Buffer, headers: Record<string, string>): boolean => {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body.toString()}`;
  const bytes = Buffer.from(standardSecret.slice(6), 'base64');
  return headers['webhook-signature'] === `v1,${createHmac('sha256', bytes).update(signed).digest('base64')}`;
};

interface Case {
  provider: WebhookProvider;
  secret: string;
  right: express.Express;
  /** Receivers with one fault each, and the scenarios that must name it. */
  wrong: readonly { what: string; app: express.Express; broken: readonly string[] }[];
}

const cases: readonly Case[] = [
  {
    // Statuses only: tonapiShops.test.ts has receivers that read the chain, and shopReceivers.test.ts the made one.
    provider: providerOf({ name: 'tonapi' }),
    secret: token,
    right: receiver(bearer),
    wrong: [
      {
        what: 'takes deliveries on a secret path without a token',
        app: receiver(() => true),
        broken: ['wrong-secret', 'no-signature'],
      },
      {
        what: "takes every webhook's token",
        app: receiver((_body, headers) => /^Bearer ./.test(headers['authorization'] ?? '')),
        broken: ['wrong-secret'],
      },
    ],
  },
  {
    provider: providerOf({ name: 'bicycle' }),
    secret: token,
    right: receiver(bearer),
    wrong: [
      {
        what: 'answers 204',
        app: receiver(bearer, { ok: 204 }),
        broken: ['success', 'duplicate', 'concurrent', 'retry', 'unknown-reference', 'slow'],
      },
      { what: 'reads no token', app: receiver(() => true), broken: ['wrong-secret', 'no-signature'] },
    ],
  },
  {
    provider: providerOf({ name: 'standard-webhooks' }),
    secret: standardSecret,
    right: receiver(standard),
    wrong: [
      { what: 'does not look at the time', app: receiver(timeless), broken: ['stale'] },
      {
        what: 'signs what it has parsed',
        app: receiver(reserialized(standard)),
        broken: ['reserialized', 'reserialized'],
      },
    ],
  },
  {
    provider: providerOf({ name: 'hmac', hmac: hmacSettings }),
    secret: token,
    right: receiver(hmac),
    wrong: [
      {
        what: 'signs what it has parsed',
        app: receiver(reserialized(hmac)),
        broken: ['reserialized', 'reserialized'],
      },
      {
        what: 'reads no signature',
        app: receiver(() => true),
        broken: ['wrong-secret', 'altered', 'reserialized', 'no-signature'],
      },
    ],
  },
];

describe('checks of receivers of each provider', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map(closeServer));
  });

  const brokenBy = async (app: express.Express, { provider, secret }: Case): Promise<string[]> => {
    const server = createServer(app);
    servers.push(server);
    const url = new URL('/webhook', await listen(server));
    const rows = await checkedRows({ url, secret, provider });
    return rows.filter(({ ok }) => !ok).map(({ scenario }) => scenario);
  };

  for (const one of cases) {
    it(`${one.provider.name}: a right receiver passes, and each fault of a wrong one is named`, async () => {
      // At once, because a check mostly waits.
      const receivers = [{ what: 'is right', app: one.right, broken: [] }, ...one.wrong];
      const found = await Promise.all(receivers.map(({ app }) => brokenBy(app, one)));
      for (const [index, { what, broken }] of receivers.entries()) {
        assert.deepEqual(found[index], broken, what);
      }
    });
  }
});
