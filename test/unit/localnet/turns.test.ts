import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mapInTurns, nextTurn } from '../../../src/toolkit/base/turns';
import { stringifyInTurns } from '../../../src/toolkit/localnet/server/stringifyInTurns';

describe('turns of the local network', () => {
  it('lets one waiting request continue per turn of the event loop, in order', async () => {
    let turn = 0;
    let isCounting = true;
    const count = (): void => {
      turn += 1;
      if (isCounting) {
        setImmediate(count);
      }
    };
    setImmediate(count);
    const seen = await Promise.all(Array.from({ length: 50 }, () => nextTurn().then(() => turn)));
    isCounting = false;
    assert.equal(new Set(seen).size, 50);
    assert.deepEqual(
      seen,
      [...seen].sort((a, b) => a - b),
    );
  });

  it('is yielded by long-running work', async () => {
    let others = 0;
    const busy = (): number => {
      const end = performance.now() + 4;
      while (performance.now() < end);
      return others;
    };
    const timer = setInterval(() => (others += 1), 1);
    const seen = await mapInTurns(Array(10).keys(), busy);
    clearInterval(timer);
    assert.ok((seen.at(-1) ?? 0) >= 2, String(seen));
  });

  it('writes every answer like JSON.stringify, however large', async () => {
    const many = fc
      .array(fc.jsonValue(), { maxLength: 3 })
      .map((few) => Array(40).fill(few).flat() as unknown[]);
    const leaf = fc.oneof(fc.jsonValue(), fc.constant(undefined), many);
    const row = fc.dictionary(fc.string(), leaf, { maxKeys: 4 });
    const answer = fc.record({ rows: fc.array(row, { maxLength: 100 }), book: row, single: leaf });
    await fc.assert(
      fc.asyncProperty(answer, async (value) => {
        assert.equal(await stringifyInTurns(value), JSON.stringify(value));
      }),
      { numRuns: 200 },
    );
  });
});
