import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { friendlyWallet } from '../../../src/toolkit/address/canonicalAddress';
import { callControl } from '../../../src/toolkit/localnet/callControl';
import type { Localnet } from '../../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../../src/toolkit/base/log';
import type { PaymentChange } from '../../../src/toolkit/payments/mockPayment';
import { isPaymentApiOf } from '../../../src/toolkit/payments/isPaymentApiOf';
import { paymentStanding } from '../../../src/toolkit/payments/paymentWords';
import { startPaymentsThread } from '../../../src/toolkit/payments/startPaymentsThread';
import type {
  PaymentsThread,
  PaymentsThreadOptions,
} from '../../../src/toolkit/payments/startPaymentsThread';
import { signBody } from '../../../src/toolkit/webhook/delivery/signature';
import { startReceiver } from '../webhook/support/receiver';
import type { TestReceiver } from '../webhook/support/receiver';

describe('the payment API in its thread', () => {
  let localnet: Localnet;
  let shop: TestReceiver;
  let folder: string;
  let request: string;
  const threads: PaymentsThread[] = [];

  before(async () => {
    localnet = await startLocalnet({ port: 0, log: silentLog });
    shop = await startReceiver((_request, response) => response.writeHead(200).end());
    const [alice, bob] = await callControl(localnet.control, 'accounts', {});
    request = JSON.stringify({
      ...{ amount: 1.5, asset: 'TON' },
      senderAddr: friendlyWallet(alice?.address ?? ''),
      recipientAddr: friendlyWallet(bob?.address ?? ''),
    });
  });
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-payments-'));
  });
  afterEach(async () => {
    await Promise.all(threads.splice(0).map((thread) => thread.close()));
    await rm(folder, { recursive: true, force: true });
  });
  after(async () => {
    await shop?.close();
    await localnet?.close();
  });

  const start = async (more: Partial<PaymentsThreadOptions> = {}): Promise<PaymentsThread> => {
    const { v2, v3 } = localnet;
    const thread = await startPaymentsThread({
      network: { name: 'Local', kind: 'local', v2, v3, globalId: -239 },
      ...{ port: 0, journalDirectory: folder, timeScale: 0.01 },
      settings: {
        webhookUrl: shop.url.href,
        webhookSecret: 'whsec_test',
        apiKey: 'key',
        keyIsOptional: true,
      },
      ...more,
    });
    threads.push(thread);
    return thread;
  };
  const changed = (thread: PaymentsThread, wanted: PaymentChange['change']): Promise<PaymentChange> =>
    new Promise((resolve) => {
      const stop = thread.onChange((one) => {
        if (one.change === wanted) {
          stop();
          resolve(one);
        }
      });
    });

  it('creates, pays, and delivers, and tells each change with the payment as it is then', async () => {
    const thread = await start();
    const seen: string[] = [];
    thread.onChange(({ change, payment }) => seen.push(`${change} ${payment.status}`));
    const { reference } = await thread.control.call('create', request);
    assert.equal(thread.size, 1);
    const short = await thread.control.call('pay', reference, { scenario: 'too-little' });
    assert.deepEqual([short.status, short.problems[0]?.rawAmount], ['pending', '1499999999']);
    const delivered = changed(thread, 'delivered');
    await thread.control.call('pay', reference, {});
    const { payment } = await delivered;
    assert.deepEqual(seen, [
      'created pending',
      'wrong-amount pending',
      'settled success',
      'delivered success',
    ]);
    assert.equal(payment.webhook?.attempts[0]?.status, 200);
    assert.deepEqual(thread.newest(), [payment]);
    const { body, rawHeaders } = shop.seen.at(-1)!;
    const header = rawHeaders[rawHeaders.findIndex((name) => /^x-tonpay-signature$/i.test(name)) + 1];
    assert.equal(header, signBody(body, 'whsec_test'));
  });

  it('opens a payment again that the network has undone, and takes it back if the network does', async () => {
    const thread = await start();
    const { reference } = await thread.control.call('create', request);
    await callControl(localnet.control, 'snapshot', { name: 'unpaid' });
    const delivered = changed(thread, 'delivered');
    const paid = await thread.control.call('pay', reference, {});
    await delivered;
    const undone = changed(thread, 'undone');
    const { undo } = await callControl(localnet.control, 'restore', { name: 'unpaid', keep: true });
    const { payment: open } = await undone;
    assert.deepEqual([open.status, open.txHash, open.undone?.txHash], ['pending', '', paid.txHash]);
    assert.match(paymentStanding(open).text, /^not paid: undone \d\d:\d\d:\d\d, the network went back$/);
    assert.equal(paymentStanding(open).standing, 'warning');
    assert.equal(thread.newest()[0]?.status, 'pending');
    const restored = changed(thread, 'restored');
    await callControl(localnet.control, 'undoRestore', { undo: undo ?? 0 });
    const { payment: again } = await restored;
    assert.equal(shop.seen.filter(({ body }) => body.toString().includes(reference)).length, 1);
    assert.deepEqual([again.status, again.txHash, again.date], ['success', paid.txHash, paid.date]);
    assert.equal(paymentStanding(again).standing, 'paid');
    const undoneAgain = changed(thread, 'undone');
    await callControl(localnet.control, 'restore', { name: 'unpaid' });
    await undoneAgain;
    const seen: string[] = [];
    thread.onChange(({ change }) => seen.push(change));
    const twice = await thread.control.call('pay', reference, {});
    assert.equal(twice.status, 'success');
    assert.ok(!seen.includes('paid-again'), seen.join());
  });

  it('sees that a payment is paid after it has bounced, and again after it was paid', async () => {
    const thread = await start();
    const { reference } = await thread.control.call('create', request);
    await thread.control.call('pay', reference, { scenario: 'bounced' });
    assert.equal(thread.newest()[0]?.status, 'failed');
    assert.equal((await thread.control.call('pay', reference, {})).status, 'success');
    const again = changed(thread, 'paid-again');
    await thread.control.call('pay', reference, {});
    assert.equal((await again).payment.problems.length, 1);
  });

  it('forgets what was too little, once that is undone, also while it did not run', async () => {
    const thread = await start();
    const { reference } = await thread.control.call('create', request);
    await callControl(localnet.control, 'snapshot', { name: 'before' });
    await thread.control.call('pay', reference, { scenario: 'too-little' });
    await thread.close();
    await callControl(localnet.control, 'restore', { name: 'before' });
    const next = await start();
    const [{ problems } = { problems: undefined }] = next.newest();
    if (problems?.length !== 0) {
      const { payment } = await changed(next, 'undone');
      assert.deepEqual([payment.problems, paymentStanding(payment).standing], [[], 'waiting']);
    }
  });

  it('refuses what the API refuses, as an error with a next step', async () => {
    const thread = await start();
    await assert.rejects(thread.control.call('create', '{}'), {
      code: 'payment-refused',
      kind: 'input',
      message: /^The payment is refused: amount is missing\.$/,
    });
    await assert.rejects(thread.control.call('pay', 'nobody', {}), { code: 'payment-unknown' });
    await assert.rejects(start(), { code: 'journal-in-use' });
    const port = Number(new URL(thread.url).port);
    await assert.rejects(start({ port, journalDirectory: path.join(folder, 'other') }), {
      code: 'port-in-use',
    });
  });

  it('is known to another window by its port and its network', async () => {
    const { url } = await start();
    const port = Number(new URL(url).port);
    assert.equal(await isPaymentApiOf(port, localnet.v3), true);
    assert.equal(await isPaymentApiOf(port, 'http://127.0.0.1:1/api/v3'), false);
    // A stranger's program, and nobody.
    assert.equal(await isPaymentApiOf(Number(shop.url.port), localnet.v3), false);
    assert.equal(await isPaymentApiOf(0, localnet.v3), false);
  });

  it('needs no key, but refuses a wrong one; the merchant of a request with the key is in the settings', async () => {
    const thread = await start();
    const { recipientAddr, ...rest } = JSON.parse(request) as { recipientAddr: string };
    const { webhookUrl, webhookSecret } = { webhookUrl: shop.url.href, webhookSecret: 'whsec_other' };
    const settings = { webhookUrl, webhookSecret, apiKey: 'key', keyIsOptional: true, recipientAddr };
    await thread.control.call('setSettings', settings);
    const post = async (body: object, headers: Record<string, string> = {}): Promise<number> =>
      (
        await fetch(`${thread.url}/api/merchant/v1/create-transfer`, {
          ...{ method: 'POST', headers },
          body: JSON.stringify(body),
        })
      ).status;
    assert.equal(await post({ ...rest, recipientAddr }), 200);
    assert.equal(await post(rest), 400);
    assert.equal(await post(rest, { 'x-api-key': 'key' }), 200);
    assert.equal(await post(rest, { 'x-api-key': 'wrong' }), 401);
  });

  it('has its payments again after it was closed, and says that it has stopped', async () => {
    const first = await start();
    const { reference } = await first.control.call('create', request);
    await first.close();
    await assert.rejects(first.control.call('find', reference), { code: 'payments-stopped' });
    const second = await start();
    assert.deepEqual(
      second.newest().map((payment) => payment.reference),
      [reference],
    );
    assert.equal((await second.control.call('pay', reference, {})).status, 'success');
  });
});
