import assert from 'node:assert/strict';
import { checkFlows } from './checkFlows';
import { moneyOf } from '../../src/toolkit/trace/money';
import type { TraceContext } from '../../src/toolkit/trace/traceContext';
import { traceFileText } from '../../src/toolkit/trace/traceFile';
import { traceDocument } from '../../src/toolkit/trace/traceDocument';
import type { TraceModel } from '../../src/toolkit/trace/traceModel';
import { transactionText } from '../../src/toolkit/trace/transactionText';
import { missingLeaves } from './missingLeaves';

/**
 * The books of a local trace must close to the nanocoin, and every view of it must stand.
 * @param problems codes of what the model has to remark
 */
export function checkBooks(context: TraceContext, problems: readonly string[] = []): void {
  const money = moneyOf(context);
  assert.deepEqual(money.unknown, []);
  assert.equal(
    money.rows.reduce((sum, row) => sum + row.coins, money.fees.total),
    0n,
  );
  const assets = checkFlows(context);
  assert.ok(assets.every(({ parties }) => parties.every(({ kind }) => kind !== 'unknown')));
  assert.equal(money.fees.other, 0n, 'every fee has a kind');
  for (const node of context.model.nodes) {
    const { account_state_before: before, account_state_after: after } = node.transaction ?? {};
    assert.ok(before?.balance != null && after?.balance != null, 'the local network knows every state');
  }
  assert.deepEqual(
    context.model.problems.map(({ code }) => code),
    problems,
  );
  assert.ok(traceDocument(context).length > 0);
  context.model.nodes.slice(0, 20).forEach((node) => transactionText(node, context));
  if (context.model.nodes.length <= 20) {
    assert.deepEqual(missingLeaves(answerOf(context.model), context), []);
  }
}

/** The answer that the model was read from. */
export function answerOf(model: TraceModel): object {
  return (JSON.parse(traceFileText(model, { savedAt: 0 })) as { answer: object }).answer;
}
