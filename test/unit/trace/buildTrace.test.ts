import assert from 'node:assert/strict';
import fc from 'fast-check';
import { moneyOf } from '../../../src/toolkit/trace/money';
import { readTraces } from '../../../src/toolkit/trace/readTraces';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { openTraces, traceFileText } from '../../../src/toolkit/trace/traceFile';
import type { TraceModel } from '../../../src/toolkit/trace/traceModel';
import { traceDocument } from '../../../src/toolkit/trace/traceDocument';
import { traceSummary } from '../../../src/toolkit/trace/traceSummary';
import { mermaidText } from '../../../src/toolkit/trace/mermaidText';
import { traceText } from '../../../src/toolkit/trace/traceText';
import { transactionText } from '../../../src/toolkit/trace/transactionText';
import type { V3TransactionWire as V3Transaction } from '../../../src/toolkit/api/v3Objects';
import type { V3TraceWire as V3Trace } from '../../../src/toolkit/api/v3Traces';
import { recordedAnswer, recordedNames } from './fixtures';
import { chain, fakeHash, syntheticTrace, wide } from './syntheticTrace';

function modelOf(trace: unknown): TraceModel {
  const [model] = readTraces({ traces: [trace] });
  assert.ok(model);
  return model;
}

/** The structure as text: what must not depend on the order of the data. */
function shapeOf(model: TraceModel): string[] {
  return model.nodes.map((node) => `${'.'.repeat(node.depth)}${node.hash ?? node.message?.hash ?? '?'}`);
}

/** The paths of all values inside a JSON value, inner ones too. */
function pathsOf(root: unknown): string[][] {
  const found: string[][] = [];
  const stack: { path: string[]; value: unknown }[] = [{ path: [], value: root }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (typeof item.value === 'object' && item.value !== null) {
      for (const [key, value] of Object.entries(item.value)) {
        const path = [...item.path, key];
        found.push(path);
        stack.push({ path, value });
      }
    }
  }
  return found;
}

function replaceAt(root: object, path: readonly string[], value: unknown): void {
  let target = root as Record<string, object>;
  for (const key of path.slice(0, -1)) {
    target = target[key] as Record<string, object>;
  }
  Object.assign(target, { [path.at(-1) ?? '']: value });
}

/** Every view must stand whatever comes. */
function readAll(model: TraceModel): void {
  const context = new TraceContext(model);
  traceDocument(context);
  traceSummary(context);
  mermaidText(context);
  for (const node of model.nodes) {
    transactionText(node, context);
  }
}

describe('building a trace', () => {
  it('results in the same tree whatever the order of the data', () => {
    for (const name of recordedNames) {
      const trace = recordedAnswer(name).traces?.[0] as V3Trace;
      const expected = shapeOf(modelOf(trace));
      fc.assert(
        fc.property(fc.shuffledSubarray(Object.keys(trace.transactions ?? {})), (keys) => {
          const rest = Object.keys(trace.transactions ?? {}).filter((key) => !keys.includes(key));
          const all = [...keys, ...rest];
          const transactions = Object.fromEntries(all.map((key) => [key, trace.transactions?.[key]]));
          const order = [...all].reverse();
          const mixed = { ...trace, transactions, transactions_order: order };
          assert.deepEqual(shapeOf(modelOf(mixed)), expected);
          assert.deepEqual(shapeOf(modelOf({ ...mixed, trace: null })), expected);
        }),
        { numRuns: 30 },
      );
    }
  });

  it('treats hashes in hex and URL-safe base64 as equal', () => {
    const trace = recordedAnswer('ft-sent-traces').traces?.[0] as V3Trace;
    const hex = (hash: string): string => Buffer.from(hash, 'base64').toString('hex').toUpperCase();
    const order = trace.transactions_order?.map(hex) ?? [];
    assert.deepEqual(shapeOf(modelOf({ ...trace, transactions_order: order })), shapeOf(modelOf(trace)));
  });

  it('survives any subset of the transactions, and says that some are missing', () => {
    const trace = syntheticTrace(30, wide);
    const keys = Object.keys(trace.transactions ?? {});
    fc.assert(
      fc.property(
        fc.shuffledSubarray(keys, { minLength: 1, maxLength: 29 }),
        fc.boolean(),
        (kept, withTree) => {
          const transactions = Object.fromEntries(kept.map((key) => [key, trace.transactions?.[key]]));
          const model = modelOf({
            ...trace,
            transactions,
            transactions_order: kept,
            ...(withTree ? {} : { trace: undefined }),
          });
          const carried = model.nodes.filter((node) => node.transaction !== undefined);
          assert.equal(carried.length, kept.length);
          assert.ok(model.problems.length > 0, 'a gap must be told');
          assert.equal(new Set(model.nodes).size, model.nodes.length);
          readAll(model);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('names messages without a transaction, as pending or as missing', () => {
    const trace = syntheticTrace(3, chain);
    const last = fakeHash('tx', 2);
    delete trace.transactions?.[last];
    trace.transactions_order = [fakeHash('tx', 0), fakeHash('tx', 1)];
    trace.trace = null;
    const waiting = modelOf({ ...trace, trace_info: { trace_state: 'pending' } });
    assert.equal(waiting.nodes.length, 3);
    assert.equal(waiting.nodes[2]?.outcome, 'unknown');
    assert.equal(waiting.nodes[2]?.hash, undefined);
    assert.deepEqual(waiting.problems, []);
    assert.deepEqual(
      modelOf(trace).problems.map((problem) => problem.code),
      ['missing-transactions'],
    );
  });

  it('cuts cycles and says so', () => {
    const trace = syntheticTrace(3, chain);
    const first = trace.transactions?.[fakeHash('tx', 0)] as V3Transaction;
    const last = trace.transactions?.[fakeHash('tx', 2)] as V3Transaction;
    last.out_msgs = [{ ...first.in_msg, source: last.account, destination: first.account }];
    const model = modelOf(trace);
    assert.equal(model.nodes.length, 3);
    assert.deepEqual(
      model.problems.map((problem) => problem.code),
      ['cycle'],
    );
    assert.equal(model.roots[0]?.hash, fakeHash('tx', 0), 'the earliest transaction becomes the root');
    readAll(model);
  });

  it('does not loop on a transaction that is its own parent, or on a tree that contains itself', () => {
    const trace = syntheticTrace(1, chain);
    const only = trace.transactions?.[fakeHash('tx', 0)] as V3Transaction;
    only.out_msgs = [{ ...only.in_msg }];
    const tree = trace.trace;
    assert.ok(tree);
    tree.children = [tree, { children: [tree] }];
    const model = modelOf(trace);
    assert.equal(model.nodes.length, 1);
    assert.ok(model.problems.some((problem) => problem.code === 'duplicate'));
  });

  it('reads null children, nodes without hashes and entries that are not transactions', () => {
    const trace = syntheticTrace(4, wide);
    const broken = {
      ...trace,
      trace: { tx_hash: fakeHash('tx', 0), children: [null, { children: null }, 7] },
      transactions: { ...trace.transactions, junk: null, more: 'text' },
      transactions_order: [null, ...(trace.transactions_order ?? [])],
    };
    const model = modelOf(broken);
    assert.equal(model.nodes.length, 4);
    assert.ok(model.problems.some((problem) => problem.code === 'unreadable-transaction'));
  });

  it('shows unknown words as they are', () => {
    const trace = syntheticTrace(2, chain);
    const second = trace.transactions?.[fakeHash('tx', 1)] as V3Transaction;
    second.end_status = 'hibernating';
    second.description = {
      type: 'teleport',
      compute_ph: { skipped: true, reason: 'lunar_eclipse' },
      bounce: { type: 'sideways' },
    };
    Object.assign(second, { novelty: { depth: 'unheard' } });
    const model = modelOf({ ...trace, trace_info: { trace_state: 'dreaming' } });
    const context = new TraceContext(model);
    assert.equal(model.state, 'dreaming');
    const text = traceText(context) + model.nodes.map((node) => transactionText(node, context)).join('');
    for (const word of ['dreaming', 'hibernating', 'teleport', 'lunar_eclipse', 'sideways', 'unheard']) {
      assert.ok(text.includes(word), word);
    }
  });

  it('survives any JSON in place of a trace', () => {
    fc.assert(
      fc.property(
        fc.record(
          {
            trace_id: fc.string(),
            trace: fc.object({ maxDepth: 3 }),
            transactions: fc.dictionary(
              fc.string(),
              fc.object({ key: fc.constantFrom('hash', 'lt', 'junk') }),
            ),
            trace_info: fc.record({ trace_state: fc.string() }),
          },
          { requiredKeys: [] },
        ),
        (trace) => {
          for (const model of readTraces({ traces: [trace] })) {
            assert.equal(new Set(model.nodes).size, model.nodes.length);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('shows a recorded answer in which any one value has changed', () => {
    const answers = recordedNames.map((name) => JSON.stringify(recordedAnswer(name)));
    const paths = answers.map((answer) => pathsOf(JSON.parse(answer)));
    fc.assert(
      fc.property(
        fc.nat(answers.length - 1),
        fc.nat(),
        fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(null, '', '-1', 'ff', '0:zz', 1e300, [], {})),
        (which, at, value) => {
          const answer = JSON.parse(answers[which] ?? '') as object;
          const list = paths[which] ?? [];
          replaceAt(answer, list[at % list.length] ?? [], value);
          let models: TraceModel[] = [];
          try {
            models = readTraces(answer);
          } catch (error) {
            assert.equal((error as { code?: string }).code, 'trace-unreadable');
          }
          models.forEach(readAll);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('rejects anything that is not a trace', () => {
    for (const value of [null, 7, 'text', {}, { error: 'no' }]) {
      assert.throws(() => readTraces(value), { code: 'trace-unreadable' });
    }
    assert.throws(() => openTraces('not json'), { code: 'trace-unreadable' });
    assert.deepEqual(readTraces({ traces: null }), []);
  });

  it('combines loose transactions to a trace', () => {
    const trace = syntheticTrace(20, wide);
    const transactions = Object.values(trace.transactions ?? {}).reverse();
    const [model, ...others] = readTraces({ transactions, address_book: {} });
    assert.equal(others.length, 0);
    assert.deepEqual(shapeOf(model as TraceModel), shapeOf(modelOf(trace)));
  });

  it('takes a transaction alone, and a list of them, for what they are', () => {
    const transactions = Object.values(
      (recordedAnswer('ft-sent-traces').traces?.[0] as V3Trace).transactions ?? {},
    );
    const [first] = transactions;
    const alone = openTraces(JSON.stringify(first));
    assert.deepEqual(
      alone.map(({ nodes }) => nodes.map(({ isCarried }) => isCarried)[0]),
      [true],
    );
    assert.doesNotMatch(traceText(new TraceContext(alone[0]!)), /nothing is known/);
    const list = openTraces(JSON.stringify(transactions));
    assert.deepEqual(
      list.map(({ nodes }) => nodes.filter(({ isCarried }) => isCarried).length),
      [transactions.length],
    );
  });

  it('labels a trace that the service refuses as too large', () => {
    const model = modelOf({
      trace_id: fakeHash('tx', 0),
      trace_info: { trace_state: 'complete', transactions: 5000 },
      is_incomplete: true,
      warning: 'trace is too large',
    });
    assert.equal(model.incomplete, true);
    assert.equal(model.problems[0]?.code, 'too-large');
    assert.ok(moneyOf(new TraceContext(model)).unknown.length > 0);
  });

  for (const [name, shape] of [
    ['deep', chain],
    ['wide', wide],
  ] as const) {
    it(`reads, sums up, saves and opens 10,000 transactions, ${name}`, () => {
      const model = modelOf(syntheticTrace(10_000, shape));
      assert.equal(model.nodes.length, 10_000);
      assert.deepEqual(model.problems, []);
      const context = new TraceContext(model);
      const money = moneyOf(context);
      assert.equal(
        money.rows.reduce((sum, row) => sum + row.coins, money.fees.total),
        0n,
      );
      assert.deepEqual(money.unknown, []);
      assert.ok(traceText(context).split('\n').length > 10_000);
      const [opened] = openTraces(traceFileText(model, { savedAt: 0, network: 'Local' }));
      assert.deepEqual(shapeOf(opened as TraceModel), shapeOf(model));
    });
  }

  it('opens what it saved, with names and metadata', () => {
    for (const name of recordedNames) {
      const [model] = readTraces(recordedAnswer(name));
      const [opened] = openTraces(traceFileText(model as TraceModel, { savedAt: 0 }));
      assert.equal(
        traceText(new TraceContext(opened as TraceModel)),
        traceText(new TraceContext(model as TraceModel)),
      );
    }
  });
});
