import assert from 'node:assert/strict';
import type { ExploredScenario } from '../../../src/toolkit/workflows/exploreSheet';
import { faultLines, seenWords } from '../../../src/toolkit/workflows/exploredWords';

const whole = {
  ...{ orders: 7, covered: 24n, states: 13, ends: 2, share: 1, cut: 0 },
  stoppedBy: undefined,
} as const;

const scenario = (given: Partial<ExploredScenario>): ExploredScenario => ({
  ...{ title: 'two at once', sends: [], exploration: whole, fault: undefined, order: [], rows: [] },
  ...{ trace: undefined, unjudged: [], ...given },
});

describe('what an exploration says', () => {
  it('tells how much was seen, and what stopped it', () => {
    assert.equal(
      seenWords(scenario({}), () => ''),
      'all 24 orders, 13 states, 2 different ends',
    );
    assert.equal(
      seenWords(
        scenario({ exploration: { ...whole, share: 0.4219, stoppedBy: 'seconds' } }),
        (by) => `stopped by --${by}`,
      ),
      '7 orders run, 42.1 % of the space, 13 states, 2 different ends, stopped by --seconds',
    );
  });

  it('names the line of what is wrong, if it is about one', () => {
    const lost = scenario({ fault: { kind: 'coins', missing: 1_500_000_000n } });
    assert.deepEqual(faultLines(lost, 'a.toncall'), [
      '1.5 TON are in no balance, fee, or message after the last delivery.',
    ]);
  });
});
