import assert from 'node:assert/strict';
import type { FormVerdict } from '../../../src/toolkit/send/fieldForm';
import { LiveVerdict } from '../../../src/toolkit/send/fieldForm';
import { SteppedClock } from '../../support/steppedClock';

const fine = (text: string): FormVerdict => ({ state: 'fine', text });

describe('the live verdict of a form', () => {
  interface Question {
    signal: AbortSignal;
    answer: (verdict: FormVerdict) => void;
    fail: (error: unknown) => void;
  }
  let clock: SteppedClock;
  let questions: Question[];
  let shown: (string | undefined)[];
  let live: LiveVerdict;
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) {
      await Promise.resolve();
    }
  };

  beforeEach(() => {
    clock = new SteppedClock();
    questions = [];
    shown = [];
    live = new LiveVerdict({
      clock,
      checking: 'rehearsing',
      ask: (signal) =>
        new Promise((answer, fail) => {
          questions.push({ signal, answer, fail });
        }),
      onChange: () => shown.push(live.current()?.text),
    });
  });

  it('asks once, after a moment without a change', async () => {
    live.renew();
    clock.advance(100);
    live.renew();
    clock.advance(100);
    assert.equal(questions.length, 0);
    clock.advance(1000);
    assert.equal(questions.length, 1);
    questions[0]!.answer(fine('succeeds'));
    await settled();
    assert.deepEqual(live.current(), fine('succeeds'));
    assert.deepEqual(shown, ['rehearsing', 'rehearsing', 'succeeds']);
  });

  it('cancels a question that is no longer of interest, and does not show its answer', async () => {
    live.renew();
    clock.advance(1000);
    live.renew();
    assert.equal(questions[0]!.signal.aborted, true);
    clock.advance(1000);
    questions[1]!.answer(fine('new'));
    questions[0]!.answer(fine('old'));
    await settled();
    assert.deepEqual(live.current(), fine('new'));
  });

  it('says nothing after it was stopped', async () => {
    live.renew();
    clock.advance(1000);
    live.stop();
    questions[0]!.fail(new Error('aborted'));
    await settled();
    assert.equal(questions[0]!.signal.aborted, true);
    assert.equal(live.current(), undefined);
    assert.deepEqual(shown, ['rehearsing']);
    live.renew();
    live.stop();
    clock.advance(1000);
    assert.equal(questions.length, 1);
  });

  it('is unknown if it cannot be found out', async () => {
    live.renew();
    clock.advance(1000);
    questions[0]!.fail(new Error('the network is down'));
    await settled();
    assert.equal(live.current()?.state, 'unknown');
    assert.match(live.current()?.text ?? '', /the network is down/);
  });
});
