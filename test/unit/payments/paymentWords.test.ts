import assert from 'node:assert/strict';
import type { MockPayment, PaymentWebhook } from '../../../src/toolkit/payments/mockPayment';
import {
  describePayment,
  paymentStanding,
  paymentTitle,
  paymentTrouble,
  timeOf,
} from '../../../src/toolkit/payments/paymentWords';
import { makePayment } from './support/makePayment';

const nameOf = (address: string): string | undefined => (address.startsWith('0:b0') ? 'bob' : undefined);
const at = '2026-01-01T10:00:00.000Z';
const webhook = (more: Partial<PaymentWebhook>): PaymentWebhook => ({
  ...{ state: 'delivered', body: '', attempts: [{ at, status: 200, error: null, ms: 3 }] },
  ...more,
});

describe('a payment in words', () => {
  let payment: MockPayment;
  before(async () => {
    payment = await makePayment({ commentToRecipient: 'order 42' });
  });

  it('says where it stands, and why', () => {
    const problem = { kind: 'wrong-amount', at, rawAmount: '1499999999', txHash: 'aa' } as const;
    const cases: [Partial<MockPayment>, string, string][] = [
      [{}, 'waiting', `waiting since ${timeOf(payment.createdAt)}`],
      [{ problems: [problem] }, 'warning', `not paid: 1.499999999 TON arrived, too little ${timeOf(at)}`],
      [
        { problems: [{ ...problem, rawAmount: '2000000000' }] },
        'warning',
        `not paid: 2 TON arrived, too much ${timeOf(at)}`,
      ],
      [{ status: 'failed', date: at }, 'failed', `not paid: the payment bounced ${timeOf(at)}`],
      [
        { status: 'success', date: at, webhook: webhook({}) },
        'paid',
        `paid ${timeOf(at)}, webhook 200 in 3 ms`,
      ],
      [
        {
          ...{ status: 'success', date: at, webhook: webhook({}) },
          problems: [{ ...problem, kind: 'paid-again', rawAmount: '1500000000' }],
        },
        'warning',
        `paid ${timeOf(at)}, paid again with 1.5 TON, webhook 200 in 3 ms`,
      ],
      [
        {
          ...{ status: 'success', date: at },
          problems: [problem, ...[1, 2].map(() => ({ ...problem, kind: 'paid-again' as const }))],
        },
        'warning',
        `paid ${timeOf(at)}, paid again 2 times`,
      ],
      [
        {
          ...{ status: 'success', date: at },
          webhook: webhook({
            ...{ state: 'sending', nextAt: '2026-01-01T10:00:05.000Z' },
            attempts: [{ at, status: 401, error: null, ms: 94 }],
          }),
        },
        'warning',
        `paid ${timeOf(at)}, webhook answered 401 (94 ms); next attempt at ${timeOf('2026-01-01T10:00:05.000Z')}`,
      ],
      [
        {
          ...{ status: 'success', date: at },
          webhook: webhook({
            state: 'sending',
            attempts: [{ at, status: null, error: 'Refused.', ms: 1 }],
          }),
        },
        'warning',
        `paid ${timeOf(at)}, webhook without an answer, refused (1 ms); it will be tried again`,
      ],
      [
        {
          ...{ status: 'success', date: at },
          webhook: webhook({
            state: 'failed',
            attempts: [{ at, status: 401, error: null, ms: 2, receiverExpects: 'TONAPI' }],
          }),
        },
        'warning',
        `paid ${timeOf(at)}, webhook not delivered: 401 in 2 ms, because the listener expects TONAPI webhooks`,
      ],
      [
        { status: 'success', date: at, webhook: webhook({ state: 'sending', attempts: [] }) },
        'paid',
        `paid ${timeOf(at)}, webhook on its way`,
      ],
      [
        {
          ...{ status: 'success', date: at },
          webhook: webhook({ state: 'failed', attempts: [{ at, status: null, error: 'refused', ms: 1 }] }),
        },
        'warning',
        `paid ${timeOf(at)}, webhook not delivered: refused in 1 ms`,
      ],
      [
        { status: 'success', date: at, webhook: webhook({ state: 'never', attempts: [] }) },
        'paid',
        `paid ${timeOf(at)}, no webhook, on purpose`,
      ],
    ];
    for (const [changed, standing, text] of cases) {
      assert.deepEqual(paymentStanding({ ...payment, ...changed }), { standing, text });
    }
  });

  it('says what to do once a webhook was given up', () => {
    const given = webhook({ state: 'failed', attempts: [{ at, status: 401, error: null, ms: 2 }] });
    const text = describePayment({ ...payment, status: 'success', date: at, webhook: given }, nameOf);
    assert.match(text, /^! 1\.5 TON to bob: paid .*, webhook not delivered: 401 in 2 ms$/m);
    assert.match(text, /It is not sent again: let your shop ask for the status of this payment/);
  });

  it('names the recipient, and shows what strangers wrote as text', () => {
    assert.equal(paymentTitle(payment, nameOf), '1.5 TON to bob');
    const odd = { ...payment, commentToRecipient: 'a\u202Eb\nc', assetTicker: 'X\u200B' };
    assert.doesNotMatch(paymentTitle(odd, nameOf), /[\u200B]/);
    assert.match(describePayment(odd, nameOf), /^ {2}comment +a[^\u202E\n]+b[^\n]+c$/m);
  });

  it('tells what happened in one second in its order', () => {
    const text = describePayment(
      {
        ...{ ...payment, createdAt: at, status: 'success', txHash: 'bb', date: at, webhook: webhook({}) },
        problems: [
          { kind: 'wrong-amount', at, rawAmount: '1', txHash: 'aa' },
          { kind: 'paid-again', at, rawAmount: '1500000000', txHash: 'cc' },
          { kind: 'paid-again', at, rawAmount: null, txHash: 'dd' },
        ],
      },
      nameOf,
    );
    const lines = text.split('\n');
    assert.deepEqual(
      lines.slice(lines.indexOf('what has happened') + 1, -1).map((line) => line.slice(14)),
      [
        'created',
        '0.000000001 TON arrived, too little, transaction aa',
        'paid in transaction bb',
        'paid again with 1.5 TON, although it was paid already, transaction cc',
        'paid again, although it was paid already, transaction dd',
        'webhook: 200 in 3 ms',
      ],
    );
  });

  it('tells everything by the same clock, so that nothing stands above what came before', () => {
    // The network's time was moved forward by an hour.
    const there = '2026-01-01T11:00:00.000Z';
    const attempt = { at: '2026-01-01T10:00:02.500Z', status: 200, error: null, ms: 3 };
    const again = { kind: 'paid-again', at: there, rawAmount: '1500000000', txHash: 'cc' } as const;
    const text = describePayment(
      {
        ...{ ...payment, createdAt: at, status: 'success', txHash: 'bb', date: there },
        settledAt: '2026-01-01T10:00:02.000Z',
        problems: [{ ...again, seenAt: '2026-01-01T10:00:05.000Z' }],
        webhook: webhook({ attempts: [attempt] }),
      },
      nameOf,
    );
    const lines = text.split('\n');
    const happened = lines.slice(lines.indexOf('what has happened') + 1, -1).map((line) => line.trim());
    assert.deepEqual(
      happened.map((line) => line.replace(/ {2}.*? {0,}(?=\S)/, ' ')),
      [
        `${timeOf(at)} created`,
        `${timeOf('2026-01-01T10:00:02.000Z')} paid in transaction bb`,
        `${timeOf('2026-01-01T10:00:02.500Z')} webhook: 200 in 3 ms`,
        `${timeOf('2026-01-01T10:00:05.000Z')} paid again with 1.5 TON, although it was paid already, transaction cc`,
      ],
    );
  });

  it('tells the board of webhooks what no webhook does', () => {
    const problem = { kind: 'wrong-amount', at, rawAmount: '1', txHash: 'aa' } as const;
    const undone: MockPayment['undone'] = {
      ...{ at: '2026-01-01T10:00:09.000Z', txHash: 'bb', traceId: 'bb', date: at },
      status: 'success',
    };
    assert.equal(paymentTrouble(payment), undefined);
    assert.deepEqual(paymentTrouble({ ...payment, problems: [problem] }), {
      isPaid: false,
      text: `0.000000001 TON arrived, too little ${timeOf(at)}`,
    });
    const words = `undone ${timeOf(undone.at)}, the network went back`;
    assert.deepEqual(paymentTrouble({ ...payment, problems: [problem], undone }), {
      isPaid: false,
      text: words,
    });
    const later = { ...problem, seenAt: '2026-01-01T10:00:10.000Z' };
    assert.match(paymentTrouble({ ...payment, problems: [later], undone })?.text ?? '', /too little/);
    const again = { ...problem, kind: 'paid-again', rawAmount: null } as const;
    assert.deepEqual(paymentTrouble({ ...payment, status: 'success', problems: [problem, again] }), {
      isPaid: true,
      text: 'paid again',
    });
  });

  it('is a document with what has happened, in its order', () => {
    const problem = { kind: 'wrong-amount', at, rawAmount: '1', txHash: 'aa' } as const;
    const text = describePayment(
      {
        ...{ ...payment, createdAt: '2026-01-01T09:59:00.000Z', problems: [problem] },
        ...{ status: 'success', txHash: 'bb', date: '2026-01-01T10:01:00.000Z', webhook: webhook({}) },
      },
      nameOf,
    );
    const lines = text.split('\n');
    assert.match(lines[0] ?? '', /^✓ 1\.5 TON to bob: paid /);
    assert.match(text, new RegExp(`^  reference   ${payment.reference}$`, 'm'));
    assert.deepEqual(
      lines.slice(lines.indexOf('what has happened') + 1).map((line) => line.slice(14)),
      [
        'created',
        '0.000000001 TON arrived, too little, transaction aa',
        'paid in transaction bb',
        'webhook: 200 in 3 ms',
        '',
      ],
    );
  });
});
