import assert from 'node:assert/strict';
import { failureNotes } from '../../../src/library/failureNotes';
import { judgeOutcome } from '../../../src/library/judgeOutcome';
import type { Outcome } from '../../../src/library/judgeOutcome';
import type { TonAnswer, TonRelayed } from '../../../src/library/pageWalletTypes';
import type { Trace } from '../../../src/library/traceTypes';

const trace = (verdict?: string): Trace => ({
  ...{ id: undefined, state: 'complete', succeeded: verdict === undefined, verdict, fees: 0n },
  ...{ steps: [], money: [], toText: () => 'the tree', toMermaid: () => '' },
  toHtml: () => Promise.resolve('<html>'),
});

const answer = (
  number: number,
  outcome: Trace | { code: number; message: string } | undefined,
): TonAnswer => ({
  ...{ number, method: 'sendTransaction', asks: `pay ${number}`, answered: true, internalBoc: undefined },
  error: outcome !== undefined && 'code' in outcome ? outcome : undefined,
  hash: outcome !== undefined && 'steps' in outcome ? 'ab' : undefined,
  trace: () =>
    outcome !== undefined && 'steps' in outcome
      ? Promise.resolve(outcome)
      : Promise.reject(new Error('no trace')),
});

const relayed = (number: number, verdict?: string): TonRelayed => ({
  ...{ number, asks: `sign ${number}`, hash: 'cd', accepted: verdict === undefined, words: 'submitted' },
  trace: () => Promise.resolve(trace(verdict)),
});

describe('toSucceed', () => {
  it('judges answers, submissions, and traces', async () => {
    for (const one of [answer(1, trace()), relayed(1), [relayed(1), relayed(1)], trace()]) {
      assert.deepEqual(await judgeOutcome(one), { pass: true, why: undefined });
    }
    const cases: [Outcome, string][] = [
      [answer(1, trace('exit 402')), 'exit 402'],
      [answer(1, { code: 300, message: 'declined' }), 'declined'],
      [relayed(1, 'exit 133'), 'exit 133'],
      [[relayed(1), relayed(1, 'exit 133')], 'submission 2 of 2: exit 133'],
      [trace('exit 402'), 'exit 402'],
    ];
    for (const [one, why] of cases) {
      assert.deepEqual(await judgeOutcome(one), { pass: false, why });
    }
  });

  it('refuses what it cannot judge', async () => {
    const cases: [unknown, string][] = [
      [Promise.resolve(answer(1, trace())), 'a promise'],
      [undefined, 'this value'],
      [[], 'this value'],
    ];
    for (const [given, what] of cases) {
      await assert.rejects(judgeOutcome(given as Outcome), {
        code: 'usage',
        message: `toSucceed cannot judge ${what}.`,
      });
    }
  });
});

describe('the report of a failed test', () => {
  it('has the traces of payments and submissions, and what waits', async () => {
    const notes = await failureNotes({
      wallet: { answers: [answer(1, { code: 1, message: 'refused' }), answer(2, trace('exit 402'))] },
      relayed: [relayed(3), relayed(4), relayed(3, 'exit 133')],
      undecided: [
        { ...{ number: 5, method: 'sendTransaction', asks: 'pay bob 1 TON' }, domain: '', accepted: true },
      ],
    });
    assert.deepEqual(
      notes.filter(({ contentType }) => contentType === 'text/plain').map(({ name, body }) => [name, body]),
      [
        ['trace of request 2', 'pay 2\n\nexit 402\n\nthe tree\n'],
        ['trace of request 3, submission 1', 'sign 3\n\nNothing failed.\n\nthe tree\n'],
        ['trace of request 4, submission 1', 'sign 4\n\nNothing failed.\n\nthe tree\n'],
        ['trace of request 3, submission 2', 'sign 3\n\nexit 133\n\nthe tree\n'],
        ['request 5 is undecided', 'request 5 (pay bob 1 TON) waits for a decision\n'],
      ],
    );
  });

  it('has the page of each trace', async () => {
    const notes = await failureNotes({
      ...{ wallet: { answers: [answer(2, trace('exit 402'))] }, relayed: [relayed(3)], undecided: [] },
    });
    assert.deepEqual(
      notes.filter(({ contentType }) => contentType === 'text/html').map(({ name, body }) => [name, body]),
      [
        ['page of request 2', '<html>'],
        ['page of request 3, submission 1', '<html>'],
      ],
    );
  });

  it('says why a trace cannot be shown', async () => {
    const broken = { ...answer(1, undefined), hash: 'ab' };
    const [note] = await failureNotes({ wallet: { answers: [broken] }, relayed: [], undecided: [] });
    assert.equal(note?.body, 'pay 1\n\nThe trace cannot be shown: no trace\n');
  });
});
