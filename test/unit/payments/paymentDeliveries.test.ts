import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog } from '../../../src/toolkit/base/log';
import { PaymentDeliveries } from '../../../src/toolkit/payments/paymentDeliveries';
import { PaymentStore } from '../../../src/toolkit/payments/paymentStore';
import type { PaymentWebhook } from '../../../src/toolkit/payments/mockPayment';
import { systemClock } from '../../../src/toolkit/base/time';
import { tonPay } from '../../../src/toolkit/webhook/provider/tonPay';
import { startReceiver } from '../webhook/support/receiver';
import { makePayment } from './support/makePayment';

describe('webhooks of payments', () => {
  it('that are refused have the time of their next attempt, which they lose with that, and the reason if it is known', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tonwb-payments-'));
    let isMended = false;
    const shop = await startReceiver((_request, response) => response.writeHead(isMended ? 200 : 401).end());
    const store = await PaymentStore.open({ directory: folder, clock: systemClock, log: silentLog });
    const deliveries = new PaymentDeliveries({
      ...{ store, provider: tonPay, clock: systemClock, log: silentLog, timeScale: 0.01 },
      settings: () => ({ webhookUrl: shop.url, webhookSecret: 'a secret', receiverExpects: 'TONAPI' }),
      signal: new AbortController().signal,
    });
    const payment = await makePayment();
    await store.create(payment);
    await store.change(payment, { webhook: { state: 'sending', body: '{}', attempts: [] } });
    const told: (string | undefined)[] = [];
    const delivered = new Promise<void>((resolve) =>
      store.changes.add(({ change }) => {
        told.push(payment.webhook?.nextAt);
        isMended = true;
        if (change === 'delivered') {
          resolve();
        }
      }),
    );
    deliveries.proceed(payment);
    await delivered;
    const [first = '', last, ...others] = told;
    const begun = Date.parse(payment.webhook?.attempts[0]?.at ?? '');
    assert.ok(Date.parse(first) >= begun + 10, first);
    assert.deepEqual([last, others], [undefined, []]);
    assert.deepEqual(
      payment.webhook?.attempts.map(({ status, receiverExpects }) => [status, receiverExpects]),
      [
        [401, 'TONAPI'],
        [200, undefined],
      ],
    );
    await deliveries.close();
    await store.close();
    await shop.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('that are late keep no other one waiting', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tonwb-payments-'));
    const shop = await startReceiver((_request, response) => response.writeHead(200).end());
    const store = await PaymentStore.open({ directory: folder, clock: systemClock, log: silentLog });
    const stopping = new AbortController();
    const deliveries = new PaymentDeliveries({
      ...{ store, provider: tonPay, clock: systemClock, log: silentLog, timeScale: 1 },
      settings: () => ({ webhookUrl: shop.url, webhookSecret: 'a secret' }),
      signal: stopping.signal,
    });
    const proceed = async (webhook: PaymentWebhook): Promise<void> => {
      const payment = await makePayment();
      await store.create(payment);
      await store.change(payment, { webhook });
      deliveries.proceed(payment);
    };
    const dueAt = new Date(Date.now() + 86_400_000).toISOString();
    for (let count = 0; count < 100; count += 1) {
      await proceed({ state: 'late', body: '{}', dueAt, attempts: [] });
    }
    const delivered = new Promise<void>((resolve) =>
      store.changes.add(({ change }) => change === 'delivered' && resolve()),
    );
    await proceed({ state: 'sending', body: '{"now":true}', attempts: [] });
    await delivered;
    assert.deepEqual(
      shop.seen.map(({ body }) => body.toString()),
      ['{"now":true}'],
    );
    stopping.abort();
    await deliveries.close();
    await store.close();
    await shop.close();
    await rm(folder, { recursive: true, force: true });
  });
});
