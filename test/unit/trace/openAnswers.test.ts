import assert from 'node:assert/strict';
import { answerReader } from '../../../src/toolkit/api/answerReader';
import { v3TraceList } from '../../../src/toolkit/api/v3Traces';
import { mermaidText } from '../../../src/toolkit/trace/mermaidText';
import { moneyOf } from '../../../src/toolkit/trace/money';
import { readTraces } from '../../../src/toolkit/trace/readTraces';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { traceDocument } from '../../../src/toolkit/trace/traceDocument';
import { openTraces, traceFileText, traceJson } from '../../../src/toolkit/trace/traceFile';
import { tracePageOf } from '../../support/tracePageOf';
import { nodeRow, traceRow } from '../../../src/toolkit/trace/traceLine';
import type { RowWords } from '../../../src/toolkit/trace/traceLine';
import { traceSummary } from '../../../src/toolkit/trace/traceSummary';
import { traceText } from '../../../src/toolkit/trace/traceText';
import { transactionText } from '../../../src/toolkit/trace/transactionText';
import { checkAgainstChain } from '../../../src/toolkit/webhook/chain/checkAgainstChain';
import { describeChainReport } from '../../../src/toolkit/webhook/chain/describeChainReport';
import { v3ChainLookup } from '../../../src/toolkit/webhook/chain/chainOf';
import { brokenLines, isAllowed, oddFields } from '../../support/oddFields';
import { payload } from '../webhook/support/sample';
import { recordedAnswer, recordedNames } from './fixtures';

type Holder = Record<string, unknown>;

/** A row of the tree "Traces": what is read, seen under the pointer, and spoken. */
function rowTexts({ label, description, tooltip, status }: RowWords): string[] {
  assert.ok(label !== '' && tooltip !== '', 'a row says something');
  return [label, description, tooltip, status];
}

/** All that is shown of an answer, from every view. */
function screens(answer: unknown): string[] {
  return readTraces(answer).flatMap((model) => {
    const context = new TraceContext(model);
    const money = moneyOf(context);
    const texts = [
      traceText(context),
      traceDocument(context),
      mermaidText(context),
      ...model.nodes.map((node) => transactionText(node, context)),
      ...money.unknown,
      JSON.stringify(tracePageOf(context)),
      JSON.stringify(traceSummary(context)),
      traceJson(model),
      ...rowTexts(traceRow(context)),
      ...model.nodes.flatMap((node) => rowTexts(nodeRow(node, context))),
    ];
    if (model.id !== undefined || model.nodes.length > 0) {
      const [again] = openTraces(traceFileText(model, { savedAt: 0 }));
      assert.equal(again?.nodes.length, model.nodes.length, 'the saved file opens to the same');
    }
    return texts;
  });
}

async function chainScreen(answer: unknown): Promise<string> {
  const { traces } = answer as { traces?: { transactions?: Holder }[] | null };
  const report = await checkAgainstChain(
    payload().data,
    v3ChainLookup((endpoint) =>
      Promise.resolve(
        structuredClone(
          endpoint === 'traces'
            ? answer
            : { transactions: Object.values(traces?.[0]?.transactions ?? {}), jetton_wallets: null },
        ),
      ),
    ),
  );
  return describeChainReport(report, 'Own');
}

describe('answers with a missing or odd field', () => {
  /** Kinds of fields that a smaller recording has had. */
  const done = new Set<string>();
  const size = (name: string): number => JSON.stringify(recordedAnswer(name)).length;

  for (const name of [...recordedNames].sort((one, other) => size(one) - size(other))) {
    it(`${name}: each field in turn, on every screen`, async () => {
      const answer = recordedAnswer(name);
      const before = done.size;
      const reader = answerReader(v3TraceList);
      for (const odd of oddFields(answer, done)) {
        const { kind, change } = odd;
        if (isAllowed(odd)) {
          assert.equal(reader.check(structuredClone(odd.answer)), undefined, `${kind} ${change} is refused`);
        }
        if (kind === 'traces') {
          continue;
        }
        try {
          const texts = [...screens(structuredClone(odd.answer)), await chainScreen(odd.answer)];
          assert.deepEqual(brokenLines(texts), []);
        } catch (error) {
          throw new Error(`${kind} ${change}: ${String(error)}`, { cause: error });
        }
      }
      assert.ok(done.size > (before === 0 ? 100 : before));
    });
  }

  it('keep and show what does not fit, and write it back', () => {
    const answer = recordedAnswer('ton-sent-traces');
    const [trace] = answer.traces ?? [];
    const [transaction] = Object.values(trace?.transactions ?? {});
    assert.ok(transaction);
    Object.assign(transaction, { total_fees: 'a lot', mood: 'good' });
    const hash = transaction.hash;
    const [model] = readTraces(answer);
    assert.ok(model);
    const node = model.nodes.find(({ transaction: one }) => one?.['mood'] === 'good');
    assert.ok(node);
    assert.equal(node.transaction?.total_fees, null);
    const text = transactionText(node, new TraceContext(model));
    assert.match(text, /total_fees \(not as expected\) +a lot/);
    assert.match(text, /mood +good/);
    const { transactions } = JSON.parse(traceJson(model)) as { transactions: Record<string, Holder> };
    assert.equal(transactions[hash ?? '']?.['total_fees'], 'a lot');
  });
});
