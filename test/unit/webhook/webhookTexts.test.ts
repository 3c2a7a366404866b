import assert from 'node:assert/strict';
import type { CheckRow } from '../../../src/toolkit/webhook/check/shopRules';
import type { FullDelivery } from '../../../src/toolkit/webhook/delivery/delivery';
import { bicycle } from '../../../src/toolkit/webhook/provider/bicycle';
import { tonPay } from '../../../src/toolkit/webhook/provider/tonPay';
import { tonapi } from '../../../src/toolkit/webhook/provider/tonapi';
import type { SendResult } from '../../../src/toolkit/webhook/send/sendScenario';
import type { WebhookNode } from '../../../src/toolkit/webhook/views/deliveryNodes';
import { deliveryNodes, journalProblemNodes } from '../../../src/toolkit/webhook/views/deliveryNodes';
import { describeCheck } from '../../../src/toolkit/webhook/views/describeCheck';
import { orderFields } from '../../../src/toolkit/webhook/views/orderFields';
import {
  describeProgress,
  describeSend,
  sendStanding,
  summarizeSend,
} from '../../../src/toolkit/webhook/views/sentNodes';

const delivery = (changes: Partial<FullDelivery>): FullDelivery => ({
  id: 'm-0001',
  receivedAt: '2026-01-01T00:00:00.000Z',
  provider: 'ton-pay',
  method: 'POST',
  target: '/webhook',
  status: 200,
  verdict: 'accepted',
  reason: null,
  signature: { ok: true, secret: 'shop', header: 'X-Pay-Signature' },
  secret: 'shop',
  rules: [{ rule: 'amount', verdict: 'pass', text: 'The amount is exactly as expected.' }],
  warnings: [],
  unknownFields: [],
  event: 'transfer.completed',
  reference: 'order-1',
  transfer: 'success',
  payment: null,
  bodyBytes: 1234,
  elapsedMs: 3,
  forwarding: false,
  forwarded: null,
  headers: [['Content-Type', 'application/json']],
  body: Buffer.from('{"event":"transfer.completed","data":{"amount":"1","surprise":true}}'),
  bodyRedacted: false,
  ...changes,
});

/** The rows below a row that has them at once. */
const below = (node: WebhookNode | undefined): readonly WebhookNode[] =>
  typeof node?.children === 'object' ? node.children : [];

describe('the rows below a delivery', () => {
  const texts = (full: FullDelivery): string[] =>
    deliveryNodes(full).map(({ label, standing, description }) => `${standing} ${label}: ${description}`);

  it('show signature, rules, payload, headers, bytes, and timing', () => {
    const rows = texts(delivery({}));
    assert.deepEqual(rows.slice(0, 2), [
      'good signature: matches the secret shop (X-Pay-Signature)',
      'good amount: The amount is exactly as expected.',
    ]);
    assert.ok(rows.includes('plain raw bytes: 1 234 bytes'));
    assert.ok(rows.includes('plain headers: 1'));
  });

  it('keep their ids between readings, all different', () => {
    const ids = (): string[] => deliveryNodes(delivery({})).map(({ id }) => id);
    assert.deepEqual(ids(), ids());
    assert.equal(new Set(ids()).size, ids().length);
  });

  it('mark undocumented fields', () => {
    const payload = deliveryNodes(delivery({ unknownFields: ['data.surprise'] })).find(
      ({ label }) => label === 'payload',
    );
    const rows = below(payload);
    const unknown = rows.filter(({ description }) => description.includes('unknown field'));
    assert.deepEqual(
      unknown.map(({ label }) => label),
      ['surprise'],
    );
  });

  it('escape bytes that would hide or reverse text', () => {
    const body = Buffer.from(JSON.stringify({ event: 'x', data: { commentToSender: 'a\u202eb\nc' } }));
    const payload = deliveryNodes(delivery({ body })).find(({ label }) => label === 'payload');
    const rows = below(payload);
    assert.equal(rows[0]?.description, 'a\\u{202e}b\\nc');
  });

  it('say why a signature was refused, and show no payload without a valid one', () => {
    const rows = texts(
      delivery({
        signature: { ok: false, problem: 'missing', text: 'header missing: X' },
        rules: [],
        body: Buffer.from('nonsense'),
      }),
    );
    assert.equal(rows[0], 'bad signature: header missing: X');
    assert.ok(!rows.some((row) => row.includes('payload')));
  });

  it("show the forward target's answer", () => {
    const forwarded = { url: 'http://127.0.0.1:3000/', status: 500, ms: 41.4, error: null, answer: 'oops' };
    assert.ok(
      texts(delivery({ forwarded })).includes(
        'bad forwarded: 500: oops in 41 ms, from http://127.0.0.1:3000/',
      ),
    );
  });
});

describe('the report of an endpoint check', () => {
  const row = (changes: Partial<CheckRow>): CheckRow => ({
    scenario: 'success',
    rule: 'accept',
    expected: '2xx',
    got: '200',
    statuses: [200],
    ms: 2500,
    ok: true,
    tolerated: false,
    note: null,
    ...changes,
  });
  const report = (...rows: CheckRow[]): ReturnType<typeof describeCheck> =>
    describeCheck(rows, { url: 'http://127.0.0.1:3000/pay', secretName: 'shop' }, 'express', tonPay);

  it('begins with the verdict', () => {
    assert.match(report(row({})).text, /^✓ http:\/\/127.0.0.1:3000\/pay follows all 1 rules\n/);
    const broken = report(row({}), row({ ok: false, got: '401', note: 'Nobody is paid.' })).text;
    assert.match(broken, /^✗ .* breaks 1 of 2 rules\n/);
    const following = row({ ok: false, follows: true });
    assert.match(
      report(row({ ok: false }), following, following, row({})).text,
      /^✗ .* breaks 1 of 4 rules; 2 more follow from that\n/,
    );
    assert.match(broken, /✗ accept +2xx +401 +2 500 ms +success\n {4}Nobody is paid\./);
  });

  it('says how to find out what statuses do not show, as the service allows it', () => {
    assert.match(report(row({})).text, /give\s+the\s+reference\s+of\s+an\s+open\s+order/);
    const checked = { url: 'http://127.0.0.1:3000/pay', secretName: 'shop' };
    const { text } = describeCheck([row({})], checked, 'express', tonapi);
    assert.match(text, /found\s+a\s+payment\s+on\s+the\s+chain[^]*test\s+orders\s+of\s+your\s+shop/);
    assert.doesNotMatch(text, /reference/);
    assert.match(text, /^ {2}with the token named “shop”; a sample payment$/m);
    assert.match(report(row({})).text, /^ {2}signed with the secret named “shop”; a sample payment with/m);
    const without = describeCheck([row({})], { ...checked, secretName: undefined }, 'express', bicycle);
    assert.match(without.text, /^ {2}without a token; a sample payment/m);
  });

  it('marks harmless deviations as neither passed nor broken', () => {
    const other = row({ expected: '400', tolerated: true, note: 'It does no harm.' });
    const { text, fixes } = report(row({}), other);
    assert.deepEqual(fixes, []);
    assert.match(text, /^✓ .* breaks none of 2 rules; harmless other answers: 1 \(!\)\n/);
    assert.match(text, /\n! accept +400 +200 .*\n {4}It does no harm\./);
  });

  it('has the code that keeps the broken rules, named below each of them', () => {
    const { text, fixes } = report(
      row({ ok: false, scenario: 'reserialized', rule: 'raw bytes' }),
      row({}),
      row({ ok: false, scenario: 'slow', rule: 'wait', note: 'It is lost.' }),
      row({ ok: false, scenario: 'duplicate', rule: 'once' }),
    );
    assert.match(text, /✗ raw bytes .*\n {4}→ fix 1 and fix 2 below\n/);
    assert.match(text, /✗ wait .*\n {4}It is lost\.\n {4}→ fix 2 below\n✗ once .*\n {4}→ fix 3 below\n/);
    const lines = text.split('\n');
    assert.deepEqual(
      fixes.map(({ line }) => lines[line]),
      ['  fix 1 for Express: raw bytes', '  fix 2 for Express: raw bytes; wait', '  fix 3 for Express: once'],
    );
    for (const { code, line } of fixes) {
      const [first = ''] = code.split('\n');
      assert.equal(lines[line + 2], `    ${first}`);
    }
  });
});

describe('a test webhook in words', () => {
  const attempt = {
    attempt: 1,
    startedAt: '2026-01-01T00:00:00.000Z',
    ms: 3,
    status: 500,
    error: null,
    answer: '',
    delivery: 1,
  };

  it('reports each attempt and when the next one follows', () => {
    assert.equal(describeProgress(attempt, 5_000), 'attempt 1: 500 in 3 ms, again in 5 s');
    assert.equal(describeProgress({ ...attempt, status: 200 }, undefined), 'attempt 1: 200 in 3 ms');
  });

  it('says what a receiver should have answered', () => {
    const result = {
      scenario: 'success',
      url: 'http://127.0.0.1/',
      reference: 'a',
      expected: '2xx',
      ok: false,
      delivered: false,
      status: 500,
      attempts: [attempt, attempt],
    } as const;
    assert.equal(
      summarizeSend({ ...result, attempts: [...result.attempts] }),
      'success: 500 in 3 ms (2 attempts); a receiver should answer 2xx. The service would show this delivery as failed.',
    );
  });

  it('calls no receiver good that took a delivery only after failures', () => {
    const taken = { ...attempt, attempt: 3, status: 200, ms: 16 };
    const late: SendResult = {
      ...{ scenario: 'success', url: 'http://127.0.0.1/', reference: 'a', expected: '2xx' },
      ...{ ok: true, delivered: true, status: 200 },
      attempts: [attempt, { ...attempt, attempt: 2 }, taken],
    };
    assert.equal(sendStanding(late), 'warning');
    assert.equal(summarizeSend(late), 'success: failed 2 times (500, 500), then answered 200 in 16 ms.');
    const lines = describeSend(late, 'a transfer that succeeded').split('\n');
    assert.match(lines[0] ?? '', /^! success: failed 2 times/);
    assert.deepEqual(
      lines.filter((line) => /^ {2}[✓✗] /.test(line)).map((line) => line.slice(2, 8).trim()),
      ['✗ 1.1', '✗ 1.2', '✓ 1.3'],
    );
    const cut = { code: 'endpoint-cut', message: 'cut on purpose' } as const;
    const retried = {
      ...late,
      scenario: 'retry' as const,
      attempts: [
        { ...attempt, status: null, error: cut },
        { ...taken, attempt: 2 },
      ],
    };
    assert.equal(sendStanding(retried), 'good', 'the scenario cuts that answer itself');
    assert.equal(summarizeSend(retried), 'retry: answered 200 in 16 ms (2 attempts), as expected.');
  });
});

describe("an order's payment", () => {
  it("has the order's reference, amount, asset, and recipient", () => {
    assert.deepEqual(orderFields({ reference: 'a', amount: '1.5', asset: 'TON', recipient: 'UQ' }), {
      reference: 'a',
      amount: '1.5',
      asset: 'TON',
      recipientAddr: 'UQ',
    });
  });
});

describe('problems of the webhook journal', () => {
  it('are each shown as a warning, with the text and a link to the log', () => {
    const rows = journalProblemNodes(['a is damaged', 'b was cut']);
    assert.deepEqual(
      rows.map(({ description, standing, action }) => [description, standing, action]),
      [
        ['a is damaged', 'warning', 'showLog'],
        ['b was cut', 'warning', 'showLog'],
      ],
    );
    assert.notEqual(rows[0]?.id, rows[1]?.id);
    assert.deepEqual(journalProblemNodes([]), []);
  });
});
