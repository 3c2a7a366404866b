import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { clearJournal } from '../../../src/toolkit/webhook/journal/deliveryStore';
import { openKeptInbox } from '../../../src/toolkit/webhook/journal/openKeptInbox';
import type { WebhookInbox } from '../../../src/toolkit/webhook/journal/openKeptInbox';
import { startListener, stopListeners } from './support/listener';
import type { TestListener } from './support/listener';
import { bytes, payload } from './support/sample';
import { WorkbenchError } from '../../../src/toolkit/base/errors';

describe('the deliveries of a stopped listener', () => {
  const orders = [{ reference: 'first', amount: '10.5', asset: 'TON' }];
  let listener: TestListener;
  let inbox: WebhookInbox;

  beforeEach(async () => {
    listener = await startListener({ orders });
    await listener.deliver(payload({ reference: 'first' }));
    await listener.deliver('{');
    await listener.close();
    inbox = await openKeptInbox(listener.directory, orders, ['a damaged part']);
  });
  afterEach(() => stopListeners());

  it('can still be listed, searched, filtered, and opened', async () => {
    const ids = async (query: Parameters<WebhookInbox['deliveries']>[0]): Promise<string[]> =>
      (await inbox.deliveries(query)).items.map(({ id }) => id);
    const [first, second] = [listener.told[0]!, listener.told[1]!];
    assert.equal(inbox.count, 2);
    assert.deepEqual(inbox.problems, ['a damaged part']);
    assert.deepEqual(await ids({}), [second.id, first.id]);
    assert.deepEqual(await ids({ limit: 1 }), [second.id]);
    assert.deepEqual(await ids({ text: 'FIRST' }), [first.id]);
    assert.deepEqual(await ids({ verdicts: ['malformed'] }), [second.id]);
    assert.deepEqual((await inbox.delivery(first.id))?.body, bytes(payload({ reference: 'first' })));
    assert.equal(await inbox.delivery('another'), undefined);
  });

  it('keep the states of orders, whose file may change', async () => {
    assert.deepEqual(
      (await inbox.orders()).map(({ reference, state }) => [reference, state]),
      [['first', 'paid']],
    );
    await inbox.setOrders([...orders, { reference: 'second', amount: '1', asset: 'TON' }]);
    assert.deepEqual(
      (await inbox.orders()).map(({ state }) => state),
      ['paid', 'open'],
    );
  });

  it('are exported as by a listener', async () => {
    const kept = path.join(listener.directory, 'kept.jsonl');
    const running = path.join(listener.directory, 'running.jsonl');
    assert.equal(await inbox.export(kept), 2);
    const again = await startListener({ orders, journalDirectory: listener.directory });
    assert.equal(await again.export(running), 2);
    assert.equal(await readFile(kept, 'utf8'), await readFile(running, 'utf8'));
    assert.equal(await inbox.export(kept, { text: 'first' }), 1);
  });

  it('are deleted unless a listener uses them', async () => {
    const again = await startListener({ orders, journalDirectory: listener.directory });
    await assert.rejects(clearJournal(listener.directory), (error) =>
      WorkbenchError.is(error, 'journal-in-use'),
    );
    await again.close();
    await clearJournal(listener.directory);
    const empty = await openKeptInbox(listener.directory, orders);
    assert.equal(empty.count, 0);
    assert.equal((await empty.orders())[0]?.state, 'open');
  });

  it('are none where no listener has been, which is told', async () => {
    await assert.rejects(openKeptInbox(path.join(listener.directory, 'nowhere'), undefined), {
      code: 'ENOENT',
    });
  });
});
