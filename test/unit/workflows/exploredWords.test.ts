import assert from 'node:assert/strict';
import type { ExploredScenario } from '../../../src/toolkit/workflows/exploreSheet';
import { faultLines, nothingFoundWords } from '../../../src/toolkit/workflows/exploredWords';

const whole = {
  ...{ orders: 7, covered: 24n, states: 13, ends: 2, share: 1, cut: 0 },
  stoppedBy: undefined,
} as const;

const scenario = (given: Partial<ExploredScenario>): ExploredScenario => ({
  ...{ title: 'two at once', sends: [], exploration: whole, fault: undefined, order: [], rows: [] },
  ...{ trace: undefined, unjudged: [], ...given },
});

describe('what an exploration says', () => {
  const bounds = { orders: 100_000, seconds: 60 };

  it('tells how much was seen, and the bounds', () => {
    assert.equal(
      nothingFoundWords([scenario({})], bounds),
      'No order breaks anything. “two at once”: all 24 orders, 13 states, 2 different ends. The bounds are 100 000 orders and 60 s.',
    );
    const stopped = scenario({
      exploration: { ...whole, share: 0.4219, stoppedBy: 'seconds' },
      unjudged: ['Vault'],
    });
    assert.equal(
      nothingFoundWords([stopped], bounds),
      'No broken order was found so far. “two at once”: 7 orders run, 42.1 % of the space, 13 states, 2 different ends, stopped after 60 s. Exit codes of Vault were not judged: no source is known. The bounds are 100 000 orders and 60 s.',
    );
  });

  it('names the line of what is wrong, if it is about one', () => {
    const lost = scenario({ fault: { kind: 'coins', missing: 1_500_000_000n } });
    assert.deepEqual(faultLines(lost, 'a.toncall'), [
      '1.5 TON are in no balance, fee, or message after the last delivery.',
    ]);
  });
});
