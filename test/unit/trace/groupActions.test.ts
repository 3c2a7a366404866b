import assert from 'node:assert/strict';
import { groupActions } from '../../../src/toolkit/trace/groupActions';
import type { TraceAction } from '../../../src/toolkit/trace/traceAction';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { traceText } from '../../../src/toolkit/trace/traceText';
import { modelFrom } from '../../support/modelFrom';
import { syntheticTrace } from './syntheticTrace';

const context = new TraceContext(modelFrom(syntheticTrace(51, () => 0)));
const action = (node: number, given: Partial<TraceAction> = {}): TraceAction => ({
  ...{ type: 'ton_transfer', words: 'transfer 0.1 TON, A → B', success: true, symbol: '✓' },
  ...{ nodes: [node], inferred: true },
  ...given,
});

describe('identical actions of a trace', () => {
  it('are combined, with their number and total', () => {
    const value = (node: number): bigint => BigInt(context.model.nodes[node]!.message!.value!);
    const together = context.coins(value(1) + value(2) + value(4));
    assert.deepEqual(
      groupActions([action(1), action(2), action(3, { symbol: '✗' }), action(4)], context).map(
        ({ symbol, words, count }) => [symbol, words, count],
      ),
      [
        ['✓', `3 × transfer 0.1 TON, A → B (${together})`, 3],
        ['✗', 'transfer 0.1 TON, A → B', 1],
      ],
    );
  });

  it('have no total if they move something else', () => {
    const calls = [1, 2].map((node) => action(node, { type: 'call_contract', words: 'call B' }));
    assert.deepEqual(
      groupActions(calls, context).map(({ words }) => words),
      ['2 × call B'],
    );
  });

  it('make a document no longer than necessary', () => {
    const account = context.model.nodes[1]!.account;
    const same = modelFrom(syntheticTrace(51, () => 0));
    const nodes = same.nodes.map((node) =>
      node.index === 0 || node.message == null
        ? node
        : { ...node, account, message: { ...node.message, destination: account!, value: 100n } },
    );
    const text = traceText(new TraceContext({ ...same, nodes }));
    assert.match(text, /^✓ 50 × [^\n]*\n {2}complete, 51 transactions/);
    assert.equal(text.split('50 × ').length, 2);
  });
});
