import assert from 'node:assert/strict';
import { Acknowledgments } from '../../../src/toolkit/tonConnect/acknowledgments';
import { SteppedClock } from '../../support/steppedClock';

describe('events of a client whose message is not acknowledged', () => {
  it('wait until it is, and follow in their order', () => {
    const clock = new SteppedClock();
    const acknowledgments = new Acknowledgments(clock);
    const heard: string[] = [];
    const deliver = (client: string, text: string): void =>
      acknowledgments.deliver(client, () => heard.push(`${client} ${text}`));
    deliver('shop', 'before');
    const first = acknowledgments.begin('shop');
    const second = acknowledgments.begin('shop');
    deliver('shop', 'one');
    deliver('bank', 'at once');
    assert.deepEqual(heard, ['shop before', 'bank at once']);
    first();
    clock.advance(1_000);
    deliver('shop', 'two');
    assert.equal(heard.length, 2, 'another message is open');
    second();
    assert.equal(heard.length, 2, 'the last bytes are on their way');
    clock.advance(1_000);
    assert.deepEqual(heard.slice(2), ['shop one', 'shop two']);
    deliver('shop', 'after');
    assert.equal(heard.at(-1), 'shop after');
  });
});
