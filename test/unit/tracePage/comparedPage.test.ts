import assert from 'node:assert/strict';
import type { V3TraceWire } from '../../../src/toolkit/api/v3Traces';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { comparedPage } from '../../../src/toolkit/tracePage/comparedPage';
import type { ComparedPage } from '../../../src/toolkit/tracePage/comparedPage';
import { pageDetails } from '../../../src/toolkit/tracePage/pageDetails';
import { modelFrom } from '../../support/modelFrom';
import { chain, fakeHash, syntheticTrace } from '../trace/syntheticTrace';

const origin = { key: 'comparison a b', commands: ['text'] } as const;

function compared(left: V3TraceWire, right: V3TraceWire): ComparedPage {
  const [before, after] = [left, right].map((trace) => new TraceContext(modelFrom(trace)));
  assert.ok(before && after);
  return comparedPage(
    { name: 'rehearsal', context: before },
    { name: 'what happened', context: after },
    origin,
  );
}

const differences = ({ page }: ComparedPage): unknown[] =>
  page.nodes.map(({ parent, difference }) => [parent, difference?.kind, ...(difference?.texts ?? [])]);

describe('two traces on one page', () => {
  it('that are alike differ nowhere', () => {
    const result = compared(syntheticTrace(3, chain), syntheticTrace(3, chain));
    assert.deepEqual(differences(result), [
      [-1, 'same'],
      [0, 'same'],
      [1, 'same'],
    ]);
    assert.deepEqual(
      [result.page.kind, result.page.verdict.symbol, result.page.verdict.text],
      ['comparison', '=', 'Both are alike: 3 transactions.'],
    );
  });

  it('show what changed in gas and fees, with both sides', () => {
    const right = syntheticTrace(3, chain);
    const changed = right.transactions?.[fakeHash('tx', 1)];
    assert.ok(changed?.description?.compute_ph);
    changed.description.compute_ph.gas_used = '25';
    changed.total_fees = '1200';
    const result = compared(syntheticTrace(3, chain), right);
    assert.deepEqual(differences(result)[1], [0, 'changed', 'gas 10 → 25', 'fee 0.0000012 → 0.0000013 TON']);
    assert.equal(result.page.verdict.text, '1 of 3 transactions changed.');
    assert.match(result.page.facts, /gas 30 → 45\. fees 0\.0000034 → 0\.0000035 TON$/);
  });

  it('keep what only one of them has, under its parent', () => {
    const result = compared(
      syntheticTrace(4, chain),
      syntheticTrace(2, () => 0),
    );
    assert.deepEqual(
      result.page.nodes.map(({ parent, difference }) => [parent, difference?.kind]),
      [
        [-1, 'same'],
        [0, 'changed'],
        [1, 'missing'],
        [2, 'missing'],
      ],
    );
    assert.match(result.page.verdict.text, /2 only in rehearsal/);
    assert.deepEqual(
      result.pairs.map(({ left, right }) => [left?.index, right?.index]),
      [
        [0, 0],
        [1, 1],
        [2, undefined],
        [3, undefined],
      ],
    );
    const used = result.page.nodes.map(({ account }) => result.page.accounts[account]?.account);
    assert.equal(new Set(used).size, 4);
  });

  it('lead from the details of what only the first has to its own accounts', () => {
    const left = syntheticTrace(4, chain);
    const { page, pairs } = compared(
      left,
      syntheticTrace(2, () => 0),
    );
    const before = new TraceContext(modelFrom(left));
    const missing = pairs.flatMap(({ left: node, right }, index) =>
      node !== undefined && right === undefined ? [{ node, index }] : [],
    );
    assert.equal(missing.length, 2);
    for (const { node, index } of missing) {
      const rows = pageDetails(node, before, { commands: [], isUndone: false }).sections.flatMap(
        (section) => section.rows,
      );
      const own = page.accounts[page.nodes[index]?.account ?? -1]?.account;
      assert.ok(own !== undefined && rows.some(({ account }) => account === own));
    }
  });

  it('of 5,000 levels are compared without recursion', function () {
    this.timeout(20_000);
    const { page } = compared(syntheticTrace(5_000, chain), syntheticTrace(5_000, chain));
    assert.equal(page.nodes.at(-1)?.parent, 4_998);
  });
});
