import { toNano } from '@ton/core';
import assert from 'node:assert/strict';
import { pace } from '../../../scripts/lib/pace.mjs';
import { readBoc } from '../../../src/toolkit/cell/readBoc';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { readExternalMessage } from '../../../src/toolkit/send/externalMessage';
import { isPayable } from '../../../src/toolkit/send/rehearsalText';
import { runDelivery } from '../../../src/toolkit/workflows/runDelivery';
import type { RunDeliveryParameters, DeliveryEvent } from '../../../src/toolkit/workflows/runDelivery';
import { HastyClock } from '../../support/hastyClock';
import { servedChain } from '../localnet/support/servedChain';
import type { ServedChain } from '../localnet/support/servedChain';
import { addressOf, transfer } from '../localnet/support/testChain';
import type { TransferOptions } from '../localnet/support/testChain';

describe('delivering a message', () => {
  let served: ServedChain;
  let disposed = 0;
  beforeEach(async () => {
    disposed = 0;
    served = await servedChain({ mode: { kind: 'automatic', delay: 20 } });
  });
  afterEach(async () => {
    await served.close();
  });

  const events = (
    options: Partial<TransferOptions>,
    more: Partial<RunDeliveryParameters> = {},
  ): AsyncGenerator<DeliveryEvent, void, undefined> =>
    runDelivery({
      access: served.access,
      message: readExternalMessage(
        readBoc(transfer('alice', { seqno: 0, to: addressOf('bob'), value: toNano('1'), ...options })),
      ),
      emulators: { get: () => Promise.resolve(served.chain.emulator), dispose: () => void disposed++ },
      confirm: () => Promise.resolve(true),
      signal: AbortSignal.timeout(20_000 * pace),
      clock: new HastyClock(),
      ...more,
    });

  const all = async (told: AsyncGenerator<DeliveryEvent>): Promise<DeliveryEvent[]> => {
    const list: DeliveryEvent[] = [];
    for await (const event of told) {
      list.push(event);
    }
    return list;
  };

  it('reports that it is sent, how its trace grows, and that it happened as predicted', async () => {
    const told = await all(events({ body: 'rent' }));
    assert.equal(told[0]?.type, 'sent');
    assert.ok(told.slice(1, -1).every(({ type }) => type === 'follow'));
    const last = told.at(-1);
    assert.ok(last?.type === 'ended' && last.happened !== undefined);
    assert.equal(last.happened.isComplete, true);
    assert.equal(last.happened.model.nodes.length, 2);
    assert.notEqual(last.happened.comparison?.verdict, 'different');
    assert.equal(served.chain.ledger.externalMessages.length, 1, 'it is sent once');
  });

  it('sends nothing if the user declines, after showing what would happen', async () => {
    let isPaid: boolean | undefined;
    const told = await all(
      events(
        { value: toNano('99000000') },
        {
          confirm: (rehearsed) => {
            isPaid = WorkbenchError.is(rehearsed) ? undefined : isPayable(rehearsed.rehearsal);
            return Promise.resolve(false);
          },
        },
      ),
    );
    assert.deepEqual(told, [{ type: 'stopped' }]);
    assert.equal(isPaid, false, 'the rehearsal says that the balance does not cover it');
    assert.equal(served.chain.ledger.externalMessages.length, 0);
  });

  it('asks without a rehearsal if the emulator has ended, and starts another one next time', async () => {
    let reason = '';
    const broken = new WorkbenchError({ code: 'emulator-failed', kind: 'internal', message: 'Gone.' });
    const told = await all(
      events(
        {},
        {
          emulators: {
            get: () => Promise.resolve({ runTransaction: () => Promise.reject(broken) }),
            dispose: () => void disposed++,
          },
          confirm: (rehearsed) => {
            reason = WorkbenchError.is(rehearsed) ? rehearsed.code : 'rehearsed';
            return Promise.resolve(true);
          },
        },
      ),
    );
    assert.deepEqual([reason, disposed], ['emulator-failed', 1]);
    const last = told.at(-1);
    assert.ok(last?.type === 'ended' && last.happened?.comparison === undefined);
  });

  it('reports what happened to the message even if the user no longer waits for the answer', async () => {
    const phase: RunDeliveryParameters['phase'] = async (name, work) => {
      const running = work(AbortSignal.timeout(20_000 * pace));
      if (name === 'send') {
        void running.catch(() => undefined);
        throw new WorkbenchError({ code: 'aborted', kind: 'failed', message: 'Canceled.' });
      }
      return running;
    };
    const told = await all(events({}, { phase }));
    assert.deepEqual([told[0]?.type, told.at(-1)?.type], ['sent', 'ended']);
  });

  it('reports that a message refused by its contract was not accepted', async () => {
    const [event] = await all(events({ seqno: 7 }));
    assert.ok(event?.type === 'failed');
    assert.equal(event.outcome.state, 'refused');
  });

  describe('that another one with its seqno displaces', () => {
    /** Another message of the wallet with the same seqno, in the same block and before it. */
    const rival = (): Buffer => transfer('alice', { seqno: 0, to: addressOf('carol'), value: toNano('2') });
    const submitRival = async (): Promise<boolean> => {
      await served.chain.submit(rival());
      return true;
    };
    const fate = async (told: AsyncGenerator<DeliveryEvent>, mineAt: string): Promise<DeliveryEvent[]> => {
      const list: DeliveryEvent[] = [];
      for await (const event of told) {
        list.push(event);
        const kind = event.type === 'follow' ? event.event.type : event.type;
        if (kind === mineAt && served.chain.ledger.externalMessages.length === 0) {
          await served.chain.mine();
        }
      }
      return list;
    };
    beforeEach(async () => {
      await served.close();
      served = await servedChain({ mode: { kind: 'manual' } });
    });

    // After "sent": it never shows as pending. After "trace": it shows, and disappears.
    for (const mineAt of ['sent', 'trace']) {
      it(`is told as dropped, and by what, if the block comes after "${mineAt}"`, async () => {
        const told = await fate(events({}, { confirm: submitRival }), mineAt);
        const last = told.at(-1);
        assert.ok(last?.type === 'ended');
        assert.equal(last.happened, undefined, 'a trace that has disappeared is no outcome');
        assert.equal(last.error?.code, 'message-dropped');
        assert.match(last.error.message, /dropped: another message used this seqno \(0\)/);
        const [executed] = served.chain.ledger.externalMessages;
        assert.equal(executed?.normalized, readExternalMessage(readBoc(rival())).hashNorm);
        const own = served.chain.ledger.transactions.find(
          ({ account }) => account.address === addressOf('alice'),
        );
        assert.equal(last.error.details['instead'], own?.hash);
      });
    }

    it('is not told as dropped while it can still come', async () => {
      // Nothing is mined: it waits for its block until the user stops waiting.
      const stop = new AbortController();
      const clock = new HastyClock();
      const { sleep } = clock;
      clock.sleep = (ms, signal) => {
        if (clock.slept.length >= 60) {
          stop.abort();
        }
        return sleep(ms, signal);
      };
      const told = await all(events({}, { signal: stop.signal, clock }));
      const last = told.at(-1);
      assert.ok(last?.type === 'ended');
      assert.deepEqual([last.error, last.happened?.isComplete], [undefined, false]);
    });
  });
});
