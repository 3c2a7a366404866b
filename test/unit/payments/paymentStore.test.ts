import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { nodeDisk } from '../../../src/toolkit/base/journal/journalDisk';
import type { JournalDisk } from '../../../src/toolkit/base/journal/journalDisk';
import { silentLog } from '../../../src/toolkit/base/log';
import { judgeArrival } from '../../../src/toolkit/payments/judgeArrival';
import { PaymentStore } from '../../../src/toolkit/payments/paymentStore';
import { settle } from '../../../src/toolkit/payments/startPayments';
import { transferData } from '../../../src/toolkit/payments/mockPayment';
import type { MockPayment, PaymentWebhook } from '../../../src/toolkit/payments/mockPayment';
import { systemClock } from '../../../src/toolkit/base/time';
import type { V3Transaction } from '../../../src/toolkit/api/v3Objects';
import { arrivalOf, jettonTransferBody, makePayment } from './support/makePayment';

describe('payments: what is kept', () => {
  let folder: string;
  const stores: PaymentStore[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-payments-'));
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await rm(folder, { recursive: true, force: true });
  });

  const open = async (directory = folder, disk: JournalDisk = nodeDisk): Promise<PaymentStore> => {
    const store = await PaymentStore.open({ directory, clock: systemClock, log: silentLog, disk });
    stores.push(store);
    return store;
  };
  /** What another process would find if this one were killed now. */
  const afterKill = async (): Promise<PaymentStore> => {
    const copy = path.join(folder, `killed-${stores.length}`);
    await cp(path.join(folder, 'payments.log'), path.join(copy, 'payments.log'));
    return open(copy);
  };
  const webhook: PaymentWebhook = { state: 'sending', body: '{}', attempts: [] };
  const see = async (store: PaymentStore, transaction: V3Transaction): Promise<void> => {
    const arrival = judgeArrival(transaction, store);
    assert.ok(arrival);
    await settle(arrival, store, () => webhook, systemClock);
  };

  it('survives a kill at any moment: payments, their states, webhooks, the secret, and the block', async () => {
    const store = await open();
    await store.begin(7, () => 'whsec_made');
    const [first, second] = [await makePayment(), await makePayment({ commentToRecipient: 'order 1' })];
    await Promise.all([store.create(first), store.create(second)]);
    await see(store, arrivalOf(first));
    await see(store, arrivalOf(first));
    const killed = await afterKill();
    await killed.begin(99, () => 'another');
    assert.equal(killed.secret, 'whsec_made');
    assert.equal(killed.seqno, 7);
    assert.equal(killed.pending, 1);
    assert.deepEqual([...killed.all()], [...store.all()]);
    const again = killed.byReference(first.reference);
    assert.equal(again?.status, 'success');
    assert.deepEqual(again.webhook, webhook);
    assert.equal(again.problems.length, 1);
    assert.equal(killed.byBody(second.bodyBase64Hash)?.reference, second.reference);
  });

  it('knows whose payments are open, each once, in their order', async () => {
    const store = await open();
    const [first, second, last] = [await makePayment(), await makePayment(), await makePayment()];
    last.recipientAddr = 'UQother';
    for (const payment of [first, last, second]) {
      await store.create(payment);
    }
    const { recipientAddr } = first;
    assert.deepEqual([...store.openRecipients], [recipientAddr, 'UQother']);
    await store.change(first, { status: 'success' });
    await store.change(last, { problems: [] });
    assert.deepEqual([...store.openRecipients], [recipientAddr, 'UQother']);
    await store.change(second, { status: 'failed' });
    assert.deepEqual([...store.openRecipients], ['UQother']);
    await store.change(second, { status: 'pending' });
    assert.deepEqual([...store.openRecipients], ['UQother', recipientAddr]);
    assert.deepEqual([...(await afterKill()).openRecipients], ['UQother', recipientAddr]);
    assert.equal(store.pending, 2);
  });

  it('acknowledges nothing that the disk has refused', async () => {
    let isFull = false;
    const disk: JournalDisk = {
      ...nodeDisk,
      write: (...write) => {
        if (isFull) {
          throw Object.assign(new Error('full'), { code: 'ENOSPC' });
        }
        return nodeDisk.write(...write);
      },
    };
    const store = await open(folder, disk);
    await store.begin(1, () => 'whsec_made');
    const [kept, lost] = [await makePayment(), await makePayment()];
    await store.create(kept);
    isFull = true;
    const refused = (error: unknown): boolean => WorkbenchError.is(error, 'journal-write-failed');
    await assert.rejects(store.create(lost), refused);
    assert.equal(store.byReference(lost.reference), undefined);
    await assert.rejects(see(store, arrivalOf(kept)), refused);
    assert.equal(store.byReference(kept.reference)?.status, 'pending');
    isFull = false;
    await see(store, arrivalOf(kept));
    assert.equal((await afterKill()).byReference(kept.reference)?.status, 'success');
  });

  it('is for one process at a time', async () => {
    await open();
    await assert.rejects(
      PaymentStore.open({ directory: folder, clock: systemClock, log: silentLog }),
      (error) => WorkbenchError.is(error, 'journal-in-use'),
    );
  });

  describe('settling', () => {
    let store: PaymentStore;
    let payment: MockPayment;
    beforeEach(async () => {
      store = await open();
      payment = await makePayment();
      await store.create(payment);
    });

    it('needs the recipient, the body, and the exact amount', async () => {
      await see(store, arrivalOf(payment, {}, '1499999999'));
      await see(store, arrivalOf(payment, {}, '1500000001'));
      assert.equal(payment.status, 'pending');
      assert.deepEqual(
        payment.problems.map(({ kind, rawAmount }) => [kind, rawAmount]),
        [
          ['wrong-amount', '1499999999'],
          ['wrong-amount', '1500000001'],
        ],
      );
      const elsewhere = arrivalOf(payment, { account: `0:${'dd'.repeat(32)}` });
      assert.equal(judgeArrival(elsewhere, store), undefined);
      const external = arrivalOf(payment);
      assert.equal(
        judgeArrival({ ...external, in_msg: { ...external.in_msg, source: null } }, store),
        undefined,
      );
      assert.equal(
        judgeArrival({ ...external, in_msg: { ...external.in_msg, bounced: true } }, store),
        undefined,
      );
      await see(store, arrivalOf(payment));
      assert.equal(payment.status, 'success');
      assert.equal(store.pending, 0);
    });

    it('counts a transaction once, however often it is seen', async () => {
      const transaction = arrivalOf(payment);
      await see(store, transaction);
      await see(store, transaction);
      assert.deepEqual(payment.problems, []);
      await see(store, arrivalOf(payment));
      assert.deepEqual(
        payment.problems.map(({ kind }) => kind),
        ['paid-again'],
      );
    });

    it('fails when the coins bounce, keeps them when a wallet is not deployed yet, and may succeed later', async () => {
      const bounce = { type: 'ok' } as const;
      await see(
        store,
        arrivalOf(payment, {
          description: { type: 'ord', aborted: true, bounce, compute_ph: { exit_code: 40 } },
        }),
      );
      assert.equal(payment.status, 'failed');
      assert.equal(transferData(payment).errorCode, 40);
      await see(store, arrivalOf(payment, { description: { type: 'ord', aborted: true, bounce: null } }));
      assert.equal(payment.status, 'success');
      assert.equal(transferData(payment).errorCode, undefined);
    });

    it('of jettons fails only by a transfer of the sender’s own jetton wallet', async () => {
      const jetton = await makePayment({ asset: `0:${'0a'.repeat(32)}` });
      await store.create(jetton);
      const { recipientWallet = '', senderWallet } = jetton.jetton ?? {};
      const body = jettonTransferBody(jetton).toBoc().toString('base64');
      const refusedFrom = (source: string | undefined): V3Transaction => {
        const arrival = arrivalOf(jetton, {
          account: recipientWallet,
          description: { type: 'ord', aborted: true, bounce: { type: 'ok' } },
        });
        return { ...arrival, in_msg: { ...arrival.in_msg, source, message_content: { body } } };
      };
      assert.equal(judgeArrival(refusedFrom(`0:${'ee'.repeat(32)}`), store), undefined);
      await see(store, refusedFrom(senderWallet));
      assert.equal(jetton.status, 'failed');
    });

    it('tells who really paid', async () => {
      const other = arrivalOf(payment);
      await see(store, { ...other, in_msg: { ...other.in_msg, source: `0:${'ee'.repeat(32)}` } });
      assert.notEqual(payment.senderAddr, (await makePayment()).senderAddr);
    });
  });
});
