import { moneyOf } from '../src/toolkit/trace/money';
import { readTraces } from '../src/toolkit/trace/readTraces';
import { TraceContext } from '../src/toolkit/trace/traceContext';
import { openTraces, traceFileText } from '../src/toolkit/trace/traceFile';
import type { TraceModel } from '../src/toolkit/trace/traceModel';
import { nodeMessage, nodeResult, traceText } from '../src/toolkit/trace/traceText';
import { chain, syntheticTrace, wide } from '../test/unit/trace/syntheticTrace';
import { tracePageOf } from '../test/support/tracePageOf';
import { collectGarbage } from './support/collectGarbage';
import { cpuTime } from './support/cpuTime';
import { report } from './support/report';

function modelOf(answer: unknown): TraceModel {
  const [model] = readTraces(answer);
  if (model === undefined) {
    throw new Error('no trace');
  }
  return model;
}

/** Megabytes in use after a collection. */
function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
}

for (const [name, shape] of [
  ['8 messages each', wide],
  ['a chain', chain],
] as const) {
  const size = `trace of 10,000 transactions, ${name}`;
  const answer = { traces: [syntheticTrace(10_000, shape)] };
  const text = traceFileText(modelOf(answer), { savedAt: 0 });
  const peer = cpuTime(5, () => JSON.parse(text));
  const peerName = 'JSON.parse of its text';
  modelOf(answer);
  const before = heapUsed();
  const model = modelOf(answer);
  const heap = heapUsed() - before;
  report([
    {
      name: `${size}: model`,
      ours: cpuTime(15, () => modelOf(answer)),
      peer,
      peerName,
      unit: 'ms',
      goal: '<= 1.5',
    },
    { name: `${size}: open the file`, ours: cpuTime(5, () => openTraces(text)), peer, peerName, unit: 'ms' },
    {
      name: `${size}: tree refresh (200 rows)`,
      ours: cpuTime(15, () => {
        const fresh = new TraceContext(model);
        return model.nodes.slice(0, 200).map((node) => [nodeMessage(node, fresh), nodeResult(node, fresh)]);
      }),
      unit: 'ms',
    },
    { name: `${size}: money`, ours: cpuTime(5, () => moneyOf(new TraceContext(model))), unit: 'ms' },
    { name: `${size}: text`, ours: cpuTime(3, () => traceText(new TraceContext(model))), unit: 'ms' },
    {
      name: `${size}: what its page is sent`,
      ours: cpuTime(3, () => tracePageOf(new TraceContext(model))),
      unit: 'ms',
    },
    { name: `${size}: memory of the model`, ours: heap, unit: 'MB' },
  ]);
}
