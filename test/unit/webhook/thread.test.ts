import assert from 'node:assert/strict';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import type { Delivery } from '../../../src/toolkit/webhook/delivery/delivery';
import { sendHttpRequest } from '../../../src/toolkit/webhook/send/sendHttpRequest';
import { startWebhookListener } from '../../../src/toolkit/webhook/listener/startWebhookListener';
import type { WebhookListener } from '../../../src/toolkit/webhook/listener/startWebhookListener';
import { stopListeners, temporaryDirectory } from './support/listener';
import { bytes, payload, recipient, secret, signed } from './support/sample';

describe('the webhook listener in its thread', () => {
  const listeners: WebhookListener[] = [];
  afterEach(async () => {
    await Promise.all(listeners.splice(0).map((one) => one.close()));
    await stopListeners();
  });

  async function start(more: object = {}): Promise<WebhookListener> {
    const listener = await startWebhookListener({
      port: 0,
      secrets: [{ name: 'shop', value: secret }],
      orders: [{ reference: 'ref-1', amount: '10.5', asset: 'TON', recipient }],
      journalDirectory: await temporaryDirectory(),
      ...more,
    });
    listeners.push(listener);
    return listener;
  }

  async function post(listener: WebhookListener, key = secret): Promise<number> {
    const body = bytes(payload());
    const url = new URL(listener.url);
    return (
      await sendHttpRequest({ url, method: 'POST', headers: [signed(body, key)], body, timeoutMs: 5_000 })
    ).status;
  }

  it('reports deliveries, keeps them, and changes its settings while it runs', async () => {
    const listener = await start();
    const told: Delivery[] = [];
    const first = new Promise<void>((resolve) =>
      listener.onDelivery((delivery) => {
        told.push(delivery);
        resolve();
      }),
    );
    assert.equal(await post(listener), 200);
    await first;
    assert.equal(told[0]?.verdict, 'accepted');
    const { items, total } = await listener.deliveries();
    assert.equal(total, 1);
    assert.deepEqual(items, told);
    const whole = await listener.delivery(told[0]?.id ?? '');
    assert.ok(Buffer.isBuffer(whole?.body) && whole.body.equals(bytes(payload())));
    assert.equal(await listener.delivery('nothing'), undefined);
    assert.equal((await listener.orders())[0]?.state, 'paid');
    await listener.setSecrets([{ name: 'next', value: 'next-secret' }]);
    assert.equal(await post(listener), 401);
    assert.equal(await post(listener, 'next-secret'), 200);
    await assert.rejects(listener.setSecrets([{ name: 'x', value: '' }]), (error) =>
      WorkbenchError.is(error, 'secret-empty'),
    );
    await listener.setOrders(undefined);
    await listener.clear();
    assert.equal((await listener.deliveries()).total, 0);
  });

  it('passes startup errors across the thread boundary', async () => {
    const { port } = await start();
    await assert.rejects(
      start({ port }),
      (error) =>
        WorkbenchError.is(error, 'port-in-use') &&
        error.kind === 'input' &&
        /another window/.test(error.message),
    );
  });

  it('ends on close, and afterward says that it has stopped', async () => {
    const listener = await start();
    let stopped = false;
    listener.onStopped(() => (stopped = true));
    await listener.close();
    await listener.close();
    await assert.rejects(listener.deliveries(), (error) => WorkbenchError.is(error, 'listener-stopped'));
    assert.equal(stopped, false, 'a stop that was asked for is no surprise');
    await assert.rejects(post(listener), (error) => WorkbenchError.is(error, 'endpoint-refused'));
  });
});
