import assert from 'node:assert/strict';
import type { TraceAction } from '../../../src/toolkit/trace/actionWords';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { lineFacts, lineLabel, lineTitle, traceLine } from '../../../src/toolkit/trace/traceLine';
import { groupActions, headline, traceText } from '../../../src/toolkit/trace/traceText';
import { modelFrom } from '../../support/modelFrom';
import { tracePageOf } from '../../support/tracePageOf';
import { syntheticTrace } from './syntheticTrace';

const context = new TraceContext(modelFrom(syntheticTrace(51, () => 0)));
const action = (node: number, given: Partial<TraceAction> = {}): TraceAction => ({
  ...{ type: 'ton_transfer', words: 'transfer 0.1 TON, A → B', success: true, symbol: '✓' },
  ...{ nodes: [node], inferred: true },
  ...given,
});

describe('a payout to many accounts', () => {
  const { nodes, ...same } = modelFrom(syntheticTrace(51, () => 0));
  const paid = (index: number, given: Record<string, unknown> = {}): TraceContext =>
    new TraceContext({
      ...same,
      nodes: nodes.map((node) =>
        node.message == null || node.index === 0
          ? node
          : {
              ...node,
              message: {
                ...node.message,
                opcode: null,
                value: 10_000_000n,
                ...(node.index === index && given),
              },
            },
      ),
    });

  it('is told as its sum, in headline and row', () => {
    const context = paid(0);
    assert.match(headline(context), /^50 transfers, 0\.5 TON in all, \S+ → 50 accounts$/);
    const line = traceLine(context);
    assert.equal(
      lineLabel(line, () => undefined),
      '50 transfers, 0.5 TON',
    );
    assert.match(lineFacts(line, () => undefined).join('  '), /^\S+ {2}to 50 accounts$/);
  });

  it('names the account if it was one that got all of them', () => {
    const one = { ...paid(0).model };
    const receiver = one.nodes[1]!.account!;
    one.nodes = one.nodes.map((node) =>
      node.message == null || node.index === 0
        ? node
        : {
            ...node,
            account: receiver,
            message: { ...node.message, destination: receiver, value: 100_000_000n + BigInt(node.index) },
          },
    );
    const context = new TraceContext(one, { names: new Map([[receiver, 'Vault']]) });
    const total = '5.000001275 TON';
    assert.match(headline(context), new RegExp(`^50 transfers, ${total} in all, \\S+ → Vault$`));
    const line = traceLine(context);
    const noName = (): undefined => undefined;
    assert.equal(lineLabel(line, noName), `50 transfers, ${total}`);
    assert.match(lineFacts(line, noName).join('  '), /^\S+ → Vault *$/);
    assert.match(lineTitle(line, noName), new RegExp(`^50 transfers, ${total}: \\S+ → Vault$`));
  });

  it('has a verdict that says who got what if it did other things, too', () => {
    const verdict = (given: TraceContext): string => tracePageOf(given).verdict.text;
    assert.match(verdict(paid(0)), /^50 transfers, 0\.5 TON in all/);
    const others = paid(50, { opcode: '0x12345678' });
    const [one, two, three] = others.model.nodes.slice(1).map(({ account }) => others.name(account ?? ''));
    assert.equal(
      verdict(others),
      `Succeeded: 0.01 TON to ${one}, 0.01 TON to ${two}, 0.01 TON to ${three}, and 47 more`,
    );
    // Of what has an unknown amount, nothing is said.
    assert.match(verdict(paid(1, { value: null })), new RegExp(`^Succeeded: 0\\.01 TON to ${two}, `));
  });

  it('counts what else happened, and says no sum that is not known', () => {
    assert.match(
      headline(paid(50, { opcode: '0x12345678' })),
      /^49 transfers, 0\.49 TON .*, and 1 more action$/,
    );
    assert.match(headline(paid(50, { value: null })), /^transfer 0\.01 TON, .*, and 49 more actions$/);
  });
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
