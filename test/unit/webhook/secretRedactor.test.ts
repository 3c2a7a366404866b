import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Delivery } from '../../../src/toolkit/webhook/delivery/delivery';
import { startListener, stopListeners } from './support/listener';
import { bytes, payload, recipient, signed } from './support/sample';

/** Words of JSON, of the journal's entries, of summaries and of payloads. */
const words = [
  ...['null', 'true', 'false', '":"', '","', '":null', '{"kind":"', '[redacted]', 'redacted', '\\u00'],
  ...['kind', 'delivery', 'order', 'headers', 'bodyRedacted', 'summaryBytes', 'forwarded', 'forwarding'],
  ...['reference', 'payment', 'verdict', 'accepted', 'signature', 'status', 'rules', 'text', 'rule', 'pass'],
  ...['paid', 'failed', 'success', 'transfer.completed', 'txHash', 'data', 'event', 'rawAmount', 'shop'],
  ...['ref-1', '10.5', '10500000000', '2026', 'webhook', 'deliveries', '0000', '\n"\\', 'a b&c=d', 'é"ü\\'],
];

describe('webhook secrets in kept data', () => {
  afterEach(() => stopListeners());

  const order = { reference: 'ref-1', amount: '10.5', asset: 'TON', recipient };

  async function paidAndRestarted(secret: string): Promise<void> {
    const secrets = [{ name: 'shop', value: secret }];
    const first = await startListener({ secrets, orders: [order] });
    const body = bytes(payload({ commentToRecipient: `I pay, ${secret}` }));
    const target = `/webhook?key=${encodeURIComponent(secret)}`;
    const note = /^[ -~]*$/.test(secret) ? `is ${secret}.` : 'nothing';
    const { status, json } = await first.post(body, [signed(body, secret), ['X-Note', note]], target);
    assert.deepEqual([status, json['verdict']], [200, 'accepted']);
    const told = first.told[0] as Delivery;
    await first.close();
    const again = await startListener({ secrets, orders: [order], journalDirectory: first.directory });
    assert.deepEqual(again.problems, []);
    assert.deepEqual(
      again.list().items.map((item) => JSON.parse(item) as Delivery),
      [told],
    );
    const [state] = again.orders();
    assert.deepEqual([state?.state, state?.txHash], ['paid', payload().data.txHash]);
    const full = again.get(told.id);
    assert.deepEqual(
      [told.reference, told.payment?.amount, told.payment?.txHash, told.transfer, told.event],
      ['ref-1', '10.5', payload().data.txHash, 'success', 'transfer.completed'],
    );
    // Shorter ones are not cut out, nor can a part of the mark be.
    if (secret.length >= 4 && !'[redacted]'.includes(secret)) {
      const kept = [told.target, told.payment?.comment, ...(full?.headers ?? []).map(([, value]) => value)];
      assert.ok(!kept.some((text) => text?.includes(secret)), 'texts');
      assert.ok(!told.target.includes(encodeURIComponent(secret)), 'the URL');
      assert.ok(full?.body.includes(secret) === false, 'the body');
    }
    await again.post(body, [signed(body, secret)]);
    assert.equal(again.told.at(-1)?.verdict, 'repeat');
    await stopListeners();
  }

  for (const word of words) {
    it(`${JSON.stringify(word)} does not damage our own words`, () => paidAndRestarted(word));
  }

  it('nor does any other word', async () => {
    const secret = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 4, maxLength: 12 }),
      fc.tuple(fc.constantFrom(...words), fc.constantFrom(...words)).map(([left, right]) => left + right),
    );
    await fc.assert(
      fc.asyncProperty(secret, (text) => paidAndRestarted(text)),
      { numRuns: 40 },
    );
  });
});
