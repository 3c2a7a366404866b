import assert from 'node:assert/strict';
import { keepInbox } from '../../../src/toolkit/webhook/listener/keepInbox';
import type { WebhookListener } from '../../../src/toolkit/webhook/listener/startWebhookListener';
import { startListener, stopListeners } from './support/listener';
import { payload } from './support/sample';

describe('the deliveries of a stopped listener', () => {
  afterEach(stopListeners);

  it('can still be listed, searched, and filtered', async () => {
    const running = await startListener();
    await running.deliver(payload({ reference: 'first' }));
    await running.deliver('{');
    const told = [...running.told].reverse();
    const listener = {
      deliveries: () => Promise.resolve({ items: told, total: told.length }),
      orders: () => Promise.resolve([]),
      problems: ['a damaged part'],
    } as unknown as WebhookListener;
    const inbox = await keepInbox(listener, '/nowhere');
    const ids = async (query: Parameters<WebhookListener['deliveries']>[0]): Promise<string[]> =>
      (await inbox.deliveries(query)).items.map(({ id }) => id);
    assert.equal(inbox.count, 2);
    assert.deepEqual(inbox.problems, ['a damaged part']);
    assert.deepEqual(await ids({}), [told[0]!.id, told[1]!.id]);
    assert.deepEqual(await ids({ limit: 1 }), [told[0]!.id]);
    assert.deepEqual(await ids({ text: 'FIRST' }), [told[1]!.id]);
    assert.deepEqual(await ids({ verdicts: ['malformed'] }), [told[0]!.id]);
    assert.equal(await inbox.delivery('another'), undefined);
  });
});
