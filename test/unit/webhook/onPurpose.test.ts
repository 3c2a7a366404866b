import assert from 'node:assert/strict';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import {
  describeMisbehavior,
  parseMisbehavior,
  parseRefusedCount,
} from '../../../src/toolkit/webhook/delivery/onPurpose';
import { sendScenario } from '../../../src/toolkit/webhook/send/sendScenario';
import type { SendResult } from '../../../src/toolkit/webhook/send/sendScenario';
import { deliveryRow } from '../../../src/toolkit/webhook/views/describeDelivery';
import { SteppedClock } from '../../support/steppedClock';
import { HastyClock } from '../../support/hastyClock';
import { startListener, stopListeners } from './support/listener';
import type { TestListener } from './support/listener';
import { payload, secret } from './support/sample';

const orders = [{ reference: 'order-1', amount: '10.5', asset: 'TON' }];

describe('a listener that misbehaves on purpose', () => {
  afterEach(() => stopListeners());

  const send = (listener: TestListener): Promise<SendResult> =>
    sendScenario({
      url: new URL(listener.url),
      scenario: 'success',
      secret,
      fields: { reference: 'order-1' },
      clock: new HastyClock(),
    });

  it('refuses the next deliveries, and then accepts the retry', async () => {
    const listener = await startListener({ orders });
    listener.refuseNext({ behavior: { how: 'status', status: 503 }, count: 3 });
    const { attempts, delivered } = await send(listener);
    assert.deepEqual([delivered, attempts.map(({ status }) => status)], [true, [503, 503, 503, 200]]);
    assert.deepEqual(
      listener.told.map(({ verdict, reason }) => [verdict, reason]),
      [
        ...[1, 2, 3].map((number) => ['on-purpose', `refused on purpose ${number} of 3: answered 503`]),
        ['accepted', null],
      ],
    );
    assert.match(
      deliveryRow(listener.told[1]!),
      /✗ .*refused on purpose 2 of 3, 10.5 TON  ref order-1   503$/,
    );
    assert.deepEqual(
      listener.told.map(({ reference }) => reference),
      Array.from({ length: 4 }, () => 'order-1'),
    );
  });

  it('changes no order by a refusal, and counts no delivery with a wrong signature', async () => {
    const listener = await startListener({ orders });
    listener.refuseNext({ behavior: { how: 'status', status: 500 }, count: 1 });
    await listener.post(Buffer.from('{}'), []);
    assert.equal(listener.told[0]?.onPurpose, undefined);
    assert.equal((await listener.deliver(payload({ reference: 'order-1' }))).status, 500);
    assert.equal(listener.orders()[0]?.state, 'open');
    assert.equal((await listener.deliver(payload({ reference: 'order-1' }))).status, 200);
    assert.equal(listener.orders()[0]?.state, 'paid');
  });

  it('cuts a connection without an answer', async () => {
    const listener = await startListener({ orders });
    listener.refuseNext({ behavior: { how: 'cut' }, count: 1 });
    const { attempts } = await send(listener);
    assert.deepEqual(
      attempts.map(({ status, error }) => status ?? error?.code),
      ['endpoint-closed', 200],
    );
  });

  it('answers late: the payment counts, and its retry is a repeat', async () => {
    const clock = new SteppedClock();
    const listener = await startListener({ orders }, { clock });
    listener.refuseNext({ behavior: { how: 'delay', ms: 12_000 }, count: 1 });
    const late = listener.deliver(payload({ reference: 'order-1' }));
    const told = await listener.untilTold(({ verdict }) => verdict === 'accepted');
    assert.match(deliveryRow(told), /200, delayed on purpose 1 of 1/);
    clock.advance(11_000);
    assert.equal((await listener.deliver(payload({ reference: 'order-1' }))).status, 200);
    assert.equal(listener.told.at(-1)?.verdict, 'repeat');
    let isAnswered = false;
    void late.then(() => (isAnswered = true));
    assert.equal(isAnswered, false);
    clock.advance(1_000);
    assert.equal((await late).status, 200);
  });

  it('can be ended, and a closed listener waits for no late answer', async () => {
    const listener = await startListener({ orders });
    listener.refuseNext({ behavior: { how: 'status', status: 500 }, count: 5 });
    listener.refuseNext(undefined);
    assert.equal((await listener.deliver(payload({ reference: 'order-1' }))).status, 200);
    listener.refuseNext({ behavior: { how: 'delay', ms: 60_000 }, count: 1 });
    const late = listener.deliver(payload({ reference: 'order-1' })).catch(() => 'cut');
    await listener.untilTold(({ verdict }) => verdict === 'repeat');
    await listener.close();
    assert.equal(await late, 'cut');
  });

  it('is described by a status, a delay, or cut', () => {
    assert.deepEqual(parseMisbehavior(' 503 '), { how: 'status', status: 503 });
    assert.deepEqual(parseMisbehavior('1.5s'), { how: 'delay', ms: 1_500 });
    assert.deepEqual(parseMisbehavior('CUT'), { how: 'cut' });
    assert.equal(describeMisbehavior(parseMisbehavior('12s')), 'answered after 12 s');
    for (const text of ['200', '600', '0s', '121s', '', 'later', '5 0 0']) {
      assert.throws(
        () => parseMisbehavior(text),
        (error) => WorkbenchError.is(error, 'misbehavior-invalid'),
      );
    }
    assert.equal(parseRefusedCount('3'), 3);
    for (const text of ['0', '1001', '-1', '1.5', '']) {
      assert.throws(
        () => parseRefusedCount(text),
        (error) => WorkbenchError.is(error, 'misbehavior-invalid'),
      );
    }
  });
});
