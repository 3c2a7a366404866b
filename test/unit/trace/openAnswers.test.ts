import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { answerReader } from '../../../src/toolkit/api/answerReader';
import { v3TraceList } from '../../../src/toolkit/api/v3Traces';
import { mermaidText } from '../../../src/toolkit/trace/mermaidText';
import { moneyOf } from '../../../src/toolkit/trace/money';
import { readTraces } from '../../../src/toolkit/trace/readTraces';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { traceDocument } from '../../../src/toolkit/trace/traceDocument';
import { openTraces, traceFileText, traceJson } from '../../../src/toolkit/trace/traceFile';
import { traceGraph } from '../../../src/toolkit/trace/traceGraph';
import { nodeRow, traceRow } from '../../../src/toolkit/trace/traceRow';
import type { RowWords } from '../../../src/toolkit/trace/traceRow';
import { traceSummary } from '../../../src/toolkit/trace/traceSummary';
import { traceText } from '../../../src/toolkit/trace/traceText';
import { transactionText } from '../../../src/toolkit/trace/transactionText';
import { checkAgainstChain } from '../../../src/toolkit/webhook/chain/checkAgainstChain';
import { describeChainReport } from '../../../src/toolkit/webhook/chain/describeChainReport';
import { v3ChainLookup } from '../../../src/toolkit/webhook/chain/v3ChainLookup';
import { payload } from '../webhook/support/sample';
import { recordedAnswer, recordedNames } from './fixtures';

type Holder = Record<string, unknown>;

/** Every field of an answer by the path to it, however deep; what stands in a list is its items' fields. */
function pathsOf(root: unknown): string[][] {
  const paths: string[][] = [];
  const stack: { value: unknown; path: string[] }[] = [{ value: root, path: [] }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, path } = next;
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        paths.push([...path, name]);
        stack.push({ value: inner as unknown, path: [...path, name] });
      }
    }
  }
  return paths;
}

/** The same kind of field is changed once: the fields of one transaction are those of all. */
function kindOf(path: readonly string[]): string {
  return path.map((name) => (/^\d+$|^[A-Za-z0-9+/=:-]{40,}$/.test(name) ? '*' : name)).join('.');
}

function changed(
  answer: unknown,
  path: readonly string[],
  change: (holder: Holder, name: string) => void,
): unknown {
  const copy = structuredClone(answer) as Holder;
  const holder = path.slice(0, -1).reduce<Holder>((inner, name) => inner[name] as Holder, copy);
  change(holder, path.at(-1) ?? '');
  return copy;
}

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
      JSON.stringify(traceGraph(context)),
      JSON.stringify(traceSummary(context)),
      traceJson(model),
      ...rowTexts(traceRow(context, false)),
      ...rowTexts(traceRow(context, true)),
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

const changes: [string, (holder: Holder, name: string) => void][] = [
  [
    'left out',
    (holder, name) => {
      if (Array.isArray(holder)) {
        holder.splice(Number(name), 1);
      } else {
        Reflect.deleteProperty(holder, name);
      }
    },
  ],
  ['null', (holder, name) => (holder[name] = null)],
  [
    'far too large',
    (holder, name) => {
      if (typeof holder[name] === 'number') {
        holder[name] = Number.MAX_SAFE_INTEGER;
      } else if (/^\d+$/.test(String(holder[name]))) {
        holder[name] = '9'.repeat(60);
      }
    },
  ],
  ['of another type', (holder, name) => (holder[name] = typeof holder[name] === 'object' ? 'x' : ['x'])],
];

describe('answers of which a field is missing or odd', function () {
  this.timeout(240_000);

  /** Kinds of fields that a smaller recording has had. */
  const done = new Set<string>();
  const size = (name: string): number => JSON.stringify(recordedAnswer(name)).length;

  for (const name of [...recordedNames].sort((one, other) => size(one) - size(other))) {
    it(`${name}: each field in turn, on every screen`, async () => {
      const answer = recordedAnswer(name);
      const all = new Map(pathsOf(answer).map((path) => [kindOf(path), path]));
      assert.ok(all.size > 100);
      const kinds = [...all].filter(([kind]) => !done.has(kind));
      const reader = answerReader(v3TraceList);
      for (const [kind, path] of kinds) {
        done.add(kind);
        for (const [what, change] of changes) {
          const odd = changed(answer, path, change);
          if (what === 'far too large' && isDeepStrictEqual(odd, answer)) {
            continue;
          }
          const isWithoutTraces = path.length === 1 && path[0] === 'traces';
          if (['left out', 'null'].includes(what) && !/\*$/.test(kind)) {
            assert.equal(reader.check(structuredClone(odd)), undefined, `${kind} ${what} is refused`);
          }
          if (isWithoutTraces) {
            continue;
          }
          try {
            const texts = [...screens(structuredClone(odd)), await chainScreen(odd)];
            assert.deepEqual(
              texts.flatMap((text) => /.*\b(?:undefined|NaN|\[object)\b.*/.exec(text)?.[0] ?? []),
              [],
            );
          } catch (error) {
            throw new Error(`${kind} ${what}: ${String(error)}`, { cause: error });
          }
        }
      }
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
