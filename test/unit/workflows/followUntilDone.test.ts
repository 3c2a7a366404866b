import { toNano } from '@ton/core';
import assert from 'node:assert/strict';
import { pace } from '../../../scripts/lib/pace.mjs';
import { readBoc } from '../../../src/toolkit/cell/readBoc';
import { readExternalMessage } from '../../../src/toolkit/send/externalMessage';
import { followUntilDone } from '../../../src/toolkit/workflows/followUntilDone';
import type {
  FollowUntilDoneEvent,
  FollowUntilDoneParameters,
} from '../../../src/toolkit/workflows/followUntilDone';
import { servedChain } from '../localnet/support/servedChain';
import type { ServedChain } from '../localnet/support/servedChain';
import { addressOf, transfer } from '../localnet/support/testChain';

describe('following to the end', () => {
  let served: ServedChain;
  before(async () => {
    served = await servedChain({ mode: { kind: 'automatic', delay: 20 } });
  });
  after(async () => {
    await served.close();
  });

  const told = async (more: Partial<FollowUntilDoneParameters>): Promise<FollowUntilDoneEvent[]> => {
    const events: FollowUntilDoneEvent[] = [];
    for await (const event of followUntilDone({
      access: served.access,
      signal: AbortSignal.timeout(20_000 * pace),
      ...more,
    })) {
      events.push(event);
    }
    return events;
  };

  it('ends with the whole trace of a message, by its hash', async () => {
    const boc = transfer('alice', { seqno: 0, to: addressOf('bob'), value: toNano('1') });
    const { hashNorm } = readExternalMessage(readBoc(boc));
    await served.access.v2.sendBoc({ boc: Buffer.from(boc).toString('base64') });
    const events = await told({ hashes: [hashNorm] });
    const last = events.at(-1);
    assert.ok(last?.type === 'ended');
    assert.equal(last.error, undefined);
    assert.deepEqual(last.unseen, []);
    assert.equal(last.last?.isFinal, true);
    assert.equal(last.last.model.nodes.length, 2);
    assert.ok(events.slice(0, -1).every(({ type }) => type === 'follow'));
  });

  it('says which messages nobody has seen', async () => {
    const hash = 'ab'.repeat(32);
    const last = (await told({ hashes: [hash], patienceMs: 1 })).at(-1);
    assert.ok(last?.type === 'ended');
    assert.deepEqual([last.unseen, last.last], [[hash], undefined]);
  });

  it('ends without an error when it is stopped', async () => {
    const last = (await told({ account: addressOf('bob'), signal: AbortSignal.abort() })).at(-1);
    assert.ok(last?.type === 'ended');
    assert.deepEqual([last.error, last.last], [undefined, undefined]);
  });
});
