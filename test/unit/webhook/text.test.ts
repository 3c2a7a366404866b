import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { deliveryRow, describeDelivery } from '../../../src/toolkit/webhook/views/describeDelivery';
import { toCurl } from '../../../src/toolkit/webhook/views/toCurl';
import { itOnPosix } from '../../support/itOnPosix';
import type { TestListener } from './support/listener';
import { startListener, stopListeners } from './support/listener';
import { startReceiver } from './support/receiver';
import { bytes, payload, recipient, secret, signed } from './support/sample';

const order = { reference: 'ref-1-of-the-shop', amount: '25.00', asset: 'TON', recipient };
const good = payload({ reference: order.reference, amount: '25.00', rawAmount: '25000000000' });

describe('webhook deliveries as text', () => {
  let listener: TestListener;
  beforeEach(async () => {
    listener = await startListener({ orders: [order] });
  });
  afterEach(stopListeners);

  const row = (): string => {
    const told = listener.told.at(-1);
    return told === undefined
      ? ''
      : deliveryRow(told)
          .replace(/\d\d:\d\d:\d\d/, 'TIME')
          .replace(/[\d.]+ ms/, 'N ms');
  };
  const document = (): string => {
    const whole = listener.get(listener.told.at(-1)?.id ?? '');
    return whole === undefined ? '' : describeDelivery(whole);
  };

  it('have a row that begins with the verdict', async () => {
    await listener.deliver(good);
    assert.equal(row(), '✓ TIME  completed 25.00 TON  ref ref-1-…shop   200 in N ms');
    await listener.deliver(good);
    assert.equal(row(), '✓ TIME  repeat of ref-1-…shop, nothing to do   200 in N ms');
    await listener.post(bytes(JSON.stringify(good, null, 1)), [signed(bytes(good))]);
    assert.equal(row(), '✗ TIME  claims ref-1-of-the-shop, not verified: body was re-serialized   401');
    await listener.deliver(payload({ reference: 'nobody' }));
    assert.equal(row(), '✗ TIME  unknown order, 10.5 TON  ref nobody   200');
    listener.setOrders([{ ...order, reference: 'other' }]);
    await listener.deliver(payload({ reference: 'other' }));
    assert.match(row(), /^✗ TIME {2}mismatch, ref other: the amount is 10\.5 TON, expected 25 TON/);
    await listener.deliver(payload({ ...good.data, reference: 'other', status: 'failed', errorCode: 36 }));
    assert.match(row(), /^✗ TIME {2}not completed, ref other: the transfer failed with error 36/);
    await listener.deliver(payload({ ...good.data, reference: 'other', status: 'pending' }));
    assert.equal(row(), '✗ TIME  status pending is not processed, ref other 25.00 TON   200');
    await listener.deliver('{');
    assert.match(row(), /^✗ TIME {2}not JSON.* 400$/);
  });

  it('have a document with the evidence: rules, payload, headers, raw bytes', async () => {
    await listener.deliver({ ...good, data: { ...good.data, reference: 'x', fee: 1 } });
    const text = document();
    for (const part of [
      /^✗ Unknown order, 25\.00 TON {2}ref x\n {2}answered 200\n\n/,
      /signature {2}✓ matches the secret shop/,
      /✗ reference {2}No order has this reference/,
      /payment\n {2}amount +25\.00 TON {2}\(25 000 000 000 base units\)/,
      /"rawAmount": "25000000000"/,
      /unknown fields: data\.fee/,
      /X-Pay-Signature: sha256=/,
      /000000 {2}7b 22 65 76/,
    ]) {
      assert.match(text, part);
    }
    assert.ok(!text.includes(secret));
  });

  it('say everything once', async () => {
    await listener.deliver({ ...good, data: { ...good.data, reference: 'x' } });
    assert.equal(document().split('No order has this reference').length, 2);
    await listener.post(bytes(JSON.stringify(good, null, 1)), [signed(bytes(good))]);
    assert.match(
      document(),
      /^✗ Claims ref-1-of-the-shop, not verified: body was re-serialized\n {2}answered 401\n\n/,
    );
    assert.equal(document().split('body was re-serialized:').length, 2);
    await listener.deliver('{');
    assert.equal(document().split('ot JSON').length, 2);
  });

  it('have foreign texts escaped', async () => {
    const nasty = 'pay\u202e\u0007\nFAKE LINE';
    await listener.deliver(payload({ reference: nasty, commentToRecipient: nasty, status: nasty }));
    for (const text of [deliveryRow(listener.told[0] as never), document()]) {
      assert.ok(!text.includes('\u202e') && !text.includes('\u0007'));
      assert.ok(!/^FAKE/m.test(text));
    }
  });

  itOnPosix('can be copied as a curl command that sends the same bytes', async () => {
    const receiver = await startReceiver((_, response) => response.end());
    for (const body of [
      bytes({ ...good, note: 'it\'s "quoted" $HOME `x` \\n \n @file' }),
      Buffer.from('@/etc/passwd'),
      Buffer.from([0, 1, 2, 0xff]),
    ]) {
      await listener.post(body, [signed(body), ['X-Odd', "a'b"], ['Authorization', 'Bearer private']]);
      const whole = listener.get(listener.told.at(-1)?.id ?? '');
      assert.ok(whole);
      const command = toCurl(whole, receiver.url.href);
      await promisify(execFile)('/bin/sh', ['-c', command]).catch((error: { code?: number }) => {
        if (error.code === 127) {
          return; // no curl on this machine
        }
        throw error;
      });
      const seen = receiver.seen.at(-1);
      if (seen !== undefined) {
        assert.deepEqual(seen.body, body);
        assert.ok(seen.rawHeaders.includes("a'b") && !command.includes('private'));
      }
    }
    await receiver.close();
  });
});
