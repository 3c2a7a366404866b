import assert from 'node:assert/strict';
import { answerTraces, fetchAnswerTraces } from '../../../src/toolkit/trace/readTraces';
import type { TraceSource } from '../../../src/toolkit/trace/readTraces';
import { chain, fakeHash, syntheticTrace } from './syntheticTrace';

describe('the traces in an answer', () => {
  const trace = syntheticTrace(4, chain);
  const id = fakeHash('trace', 1);

  it('are those that it contains', () => {
    const transactions = Object.values(trace.transactions ?? {});
    for (const answer of [{ traces: [trace] }, { events: [trace] }, { transactions }]) {
      const found = answerTraces(answer);
      assert.equal(found?.kind === 'held' && found.models.length, 1, Object.keys(answer)[0]);
    }
  });

  it('are those that its actions refer to, each once', async () => {
    const row = { trace_id: fakeHash('trace', 1) };
    const found = answerTraces({ actions: [row, row, { trace_id: null }, null] });
    assert.deepEqual(found, { kind: 'named', traceIds: [id] });
    const asked: unknown[] = [];
    const source: TraceSource = {
      request: (endpoint, parameters) => {
        asked.push([endpoint, parameters['trace_id'], parameters['limit']]);
        return Promise.resolve({ traces: [trace] });
      },
    };
    assert.ok(found !== undefined);
    assert.equal((await fetchAnswerTraces(source, found)).length, 1);
    assert.deepEqual(asked, [['traces', [id], 1]]);
  });

  it('are those in the masterchain block that it shows', async () => {
    const found = answerTraces({
      blocks: [
        { workchain: 0, seqno: 7 },
        { workchain: -1, seqno: 9 },
      ],
    });
    assert.deepEqual(found, { kind: 'block', seqno: 9 });
    const source: TraceSource = {
      request: (_, parameters) => Promise.resolve({ traces: parameters['mc_seqno'] === 9 ? [trace] : [] }),
    };
    assert.ok(found !== undefined);
    assert.equal((await fetchAnswerTraces(source, found)).length, 1);
  });

  it('are empty if it is about something else', () => {
    for (const answer of [
      { traces: [] },
      { actions: [] },
      { blocks: [{ workchain: 0, seqno: 1 }] },
      {},
      [],
      null,
      'x',
      7,
    ]) {
      assert.equal(answerTraces(answer), undefined);
    }
  });
});
