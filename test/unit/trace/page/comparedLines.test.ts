import assert from 'node:assert/strict';
import type { NodeDifference } from '../../../../src/protocol/tracePage';
import { comparedLines, signOf } from '../../../../src/webview/tracePage/pageText';
import { foldNodes } from '../../../../src/webview/tracePage/foldNodes';
import { pageOf } from './pageNodes';

const result = { what: 'result', from: 'exit 402 ERR_OVER_LIMIT', to: 'exit 0' };
const amount = { what: 'amount', from: '5 TON', to: '0.3 TON' };
const gas = { what: 'gas', from: '1 512', to: '1 600' };

function linesOf(difference: NodeDifference, measure: 'value' | 'gas' = 'value', count = 1): string[] {
  const page = pageOf([{}, ...Array.from({ length: count }, () => ({ parent: 0, difference }))]);
  const { items } = foldNodes(page.nodes, { collapsed: new Set(), unfolded: new Set() });
  const item = items[1];
  const node = page.nodes[1];
  assert.ok(item !== undefined && node !== undefined);
  assert.equal(item.members.length, count);
  return comparedLines(page, item, node, measure, 32);
}

describe('a box of a comparison', () => {
  it('says what changed, the most important first, with both values in sight', () => {
    const changed = { kind: 'changed', words: '', changes: [result, amount, gas] } as const;
    assert.deepEqual(linesOf({ ...changed, changes: [...changed.changes] }), [
      '≠ exit 402 ERR_OVER_LI… → exit 0',
      'amount 5 TON → 0.3 TON +1',
    ]);
    assert.deepEqual(linesOf({ ...changed, changes: [...changed.changes] }, 'gas'), [
      '≠ gas 1 512 → 1 600',
      'exit 402 ERR_OVER_L… → exit 0 +1',
    ]);
  });

  it('cuts two long values alike, and no line is longer than its box', () => {
    const long = {
      what: 'forward_payload.comment',
      from: `"${'a'.repeat(60)}"`,
      to: `"${'b'.repeat(60)}"`,
    };
    const [first = '', second] = linesOf({ kind: 'changed', words: '', changes: [long] });
    assert.match(first, /^≠ forward_payloa… "a+… → "b+…$/);
    assert.ok(first.length <= 32, String(first.length));
    assert.equal(second, '');
  });

  it('says in words that only one trace has it, and then how it ended', () => {
    assert.deepEqual(linesOf({ kind: 'missing', words: 'only in the rehearsal', changes: [] }), [
      '− only in the rehearsal',
      '✓ exit 0',
    ]);
    assert.deepEqual(linesOf({ kind: 'same', words: 'the same in both', changes: [] }), [
      '= exit 0',
      'the same in both',
    ]);
  });

  it('of several alike names what differs in any of them', () => {
    const changes = [amount, gas];
    assert.deepEqual(linesOf({ kind: 'changed', words: '', changes }, 'value', 5), [
      '≠ all changed:',
      'amount, gas',
    ]);
  });

  it('has no sign of success unless it is in no comparison', () => {
    const [plain] = pageOf([{}]).nodes;
    assert.ok(plain);
    assert.equal(signOf(plain), '✓');
    assert.equal(signOf({ ...plain, difference: { kind: 'changed', words: '', changes: [gas] } }), '≠');
  });
});
