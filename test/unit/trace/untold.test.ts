import assert from 'node:assert/strict';
import { compareOutcome } from '../../../src/toolkit/send/compareOutcome';
import { followTrace } from '../../../src/toolkit/trace/followTrace';
import type { FollowEvent } from '../../../src/toolkit/trace/readFollowTarget';
import { readTraces } from '../../../src/toolkit/trace/readTraces';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import type { TraceModel } from '../../../src/toolkit/trace/traceModel';
import { traceSummary } from '../../../src/toolkit/trace/traceSummary';
import { traceText } from '../../../src/toolkit/trace/traceText';
import { verdictOf } from '../../../src/toolkit/trace/verdict';
import { fakeHash } from './syntheticTrace';

const account = (digit: string): string => `0:${digit.repeat(64)}`;

/** A trace of two transactions of which hardly anything is told; `description` is that of the second. */
function hardlyTold(description: unknown = {}, more: object = {}): { traces: object[] } {
  const message = { hash: fakeHash('msg', 1), source: account('a'), destination: account('b'), value: '5' };
  const [first, second] = [fakeHash('tx', 1), fakeHash('tx', 2)];
  const transactions = {
    [first]: {
      ...{ hash: first, account: account('a'), description: {}, out_msgs: [message] },
      in_msg: { hash: fakeHash('msg', 0), destination: account('a') },
    },
    [second]: { hash: second, account: account('b'), description, in_msg: message, out_msgs: [] },
  };
  return { traces: [{ transactions, ...more }] };
}

function modelOf(answer: unknown, options = {}): TraceModel {
  const [model] = readTraces(structuredClone(answer), options);
  assert.ok(model);
  return model;
}

describe('a trace with hardly any facts', () => {
  it('is neither complete nor successful', () => {
    const model = modelOf(hardlyTold());
    assert.equal(model.state, 'unknown');
    assert.deepEqual(
      model.nodes.map(({ outcome }) => outcome),
      ['unknown', 'unknown'],
    );
    const text = traceText(new TraceContext(model));
    assert.match(text, /^\? .*\n {2}state unknown, 2 transactions, fees unknown\n/);
    const { fees, state, unknown } = traceSummary(new TraceContext(model));
    assert.deepEqual([fees, state], [null, 'unknown']);
    assert.deepEqual(unknown, ['The answer leaves out the fees of 2 transactions.']);
  });

  const outcomes: [description: object, outcome: string][] = [
    [{ aborted: false }, 'ok'],
    [{ compute_ph: { exit_code: 0 } }, 'ok'],
    [{ compute_ph: { exit_code: 73 } }, 'failed'],
    [{ compute_ph: { gas_used: '7' } }, 'unknown'],
    [{ action: { success: false } }, 'failed'],
  ];
  for (const [description, outcome] of outcomes) {
    it(`ends ${outcome} by ${JSON.stringify(description)}`, () => {
      assert.equal(modelOf(hardlyTold(description)).nodes[1]?.outcome, outcome);
    });
  }

  it('shows no exit code that it does not have', () => {
    const model = modelOf(hardlyTold({ compute_ph: { success: false } }));
    assert.match(verdictOf(new TraceContext(model)) ?? '', /exit code unknown/);
  });

  it('adds up only what it has', () => {
    const text = traceText(new TraceContext(modelOf(hardlyTold())));
    assert.match(text, /\nfees +unknown\nsum +unknown\n/);
  });

  it('is pending if the list of pending traces has it, whatever its own state', () => {
    const answer = hardlyTold({}, { trace_info: { trace_state: 'on-its-way' } });
    assert.equal(modelOf(answer).state, 'on-its-way');
    assert.equal(modelOf(answer, { isPending: true }).state, 'pending');
  });

  it('is followed to its end by a hash that it does not contain', async () => {
    const hash = 'ab'.repeat(32);
    let asked = 0;
    const events: FollowEvent[] = [];
    const source = {
      request: (endpoint: string): Promise<unknown> =>
        Promise.resolve(endpoint === 'traces' && ++asked > 2 ? hardlyTold() : { traces: null }),
    };
    for await (const event of followTrace(source, { hashes: [hash], intervalMs: 1, patienceMs: 5_000 })) {
      events.push(event);
    }
    assert.deepEqual(
      events.map(({ type }) => type),
      ['waiting', 'trace'],
    );
    assert.equal(events[1]?.type === 'trace' && events[1].isFinal, true);
  });

  it('neither differs from a rehearsal nor counts as matching it', () => {
    const trace = modelOf(hardlyTold({ aborted: false, compute_ph: { success: true, exit_code: 0 } }));
    const happened = modelOf(hardlyTold());
    happened.nodes.forEach((node) => Object.assign(node, { hash: fakeHash('other', node.index) }));
    const { verdict, differences } = compareOutcome({ complete: true, trace }, happened);
    assert.equal(verdict, 'unknown');
    assert.match(differences.join(' '), /Transaction 2: the service does not say how it ended/);
  });
});
