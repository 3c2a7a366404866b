import assert from 'node:assert/strict';
import type { V3TransactionWire as V3Transaction } from '../../../src/toolkit/api/v3Objects';
import type { V3ActionWire as V3Action, V3TraceWire as V3Trace } from '../../../src/toolkit/api/v3Traces';
import { compareTraces } from '../../../src/toolkit/trace/compareTraces';
import { mermaidText } from '../../../src/toolkit/trace/mermaidText';
import { traceActions } from '../../../src/toolkit/trace/traceActions';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { traceSummary } from '../../../src/toolkit/trace/traceSummary';
import { traceText } from '../../../src/toolkit/trace/traceText';
import { transactionHeadline, transactionText } from '../../../src/toolkit/trace/transactionText';
import { foldNodes } from '../../../src/webview/tracePage/foldNodes';
import { pictureSvg } from '../../../src/webview/tracePage/pictureSvg';
import { modelFrom } from '../../support/modelFrom';
import { tracePageOf } from '../../support/tracePageOf';
import { chain, fakeAccount, fakeHash, syntheticTrace } from './syntheticTrace';

function transactionOf(trace: V3Trace, index: number): V3Transaction {
  return trace.transactions?.[fakeHash('tx', index)] as V3Transaction;
}

/** A chain of three, of which those with an index in `ahead` were computed ahead. */
function emulated(
  ahead: readonly number[],
  change: (trace: V3Trace) => void = () => undefined,
): TraceContext {
  const trace = syntheticTrace(3, chain);
  for (const index of ahead) {
    transactionOf(trace, index).emulated = true;
  }
  change(trace);
  return new TraceContext(modelFrom(trace));
}

describe('an emulated trace', () => {
  const whole = emulated([0, 1, 2]);
  const done = emulated([]);

  it('is labeled as an emulation, never as complete, in text, graph, and summary', () => {
    const [first = '', facts = ''] = traceText(whole).split('\n');
    assert.match(first, /^◌ emulated: /);
    assert.match(facts, /^ {2}emulated, not in a block, 3 transactions, /);
    assert.doesNotMatch(traceText(whole), /complete|✓/);
    assert.match(traceText(whole), /^money, emulated/m);
    const page = tracePageOf(whole);
    assert.equal(page.kind, 'rehearsal');
    // The page's own mark says it, once.
    assert.doesNotMatch(`${page.headline} ${page.facts} ${page.verdict.text}`, /emulated/);
    const summary = traceSummary(whole);
    assert.equal(summary.state, 'emulated');
    assert.equal(summary.emulated, 3);
    assert.deepEqual(
      summary.steps.map((step) => step.emulated),
      [true, true, true],
    );
  });

  it('is marked transaction by transaction', () => {
    for (const line of traceText(whole).split('\n').slice(4, 7)) {
      assert.match(line, /^◌.* exit 0, emulated /);
    }
    const page = tracePageOf(whole);
    assert.ok(page.nodes.every((node) => node.isEmulated && node.symbol === '◌'));
    const tree = foldNodes(page.nodes, { collapsed: new Set(), unfolded: new Set() });
    const svg = pictureSvg({ page, tree, picture: 'flow', measure: 'value' });
    assert.equal(svg.match(/class="box [a-zA-Z]* emulated/g)?.length, 3);
    assert.match(mermaidText(whole), /class t0,t1,t2 emulated;/);
    const [root] = whole.model.nodes;
    assert.ok(root);
    assert.match(transactionText(root, whole), /^◌ .*emulated\n.*\n {2}Emulated: it is not in a block/);
  });

  it('is distinguished from the executed part of a pending trace', () => {
    const pending = emulated([1, 2], (trace) => {
      Object.assign(trace.trace_info ?? {}, { trace_state: 'pending' });
    });
    assert.match(traceText(pending), /^ {2}pending, 3 transactions \(2 emulated, not in a block yet\), /m);
    assert.match(traceText(pending), /^money, partly emulated/m);
    assert.deepEqual(
      tracePageOf(pending).nodes.map((node) => node.symbol),
      ['✓', '◌', '◌'],
    );
    assert.deepEqual(
      traceSummary(pending).steps.map((step) => step.emulated),
      [false, true, true],
    );
    assert.equal(traceSummary(pending).state, 'pending');
  });

  it('fails as an emulation', () => {
    const failing = emulated([0, 1, 2], (trace) => {
      transactionOf(trace, 2).description = {
        aborted: true,
        compute_ph: { skipped: false, success: false, exit_code: 73 },
      };
    });
    assert.match(traceText(failing), /^✗ emulated: .* would refuse .*: exit code 73$/m);
    const { kind, verdict } = tracePageOf(failing);
    assert.deepEqual([kind, verdict.isFailed], ['rehearsal', true]);
    assert.match(verdict.text, / would refuse /);
    assert.doesNotMatch(verdict.text, /failed|refused|bounced|was /);
    const cause = failing.model.nodes[2];
    assert.match(transactionHeadline(cause!, failing), / would refuse /);
  });

  it('does not differ from the same trace once it has happened', () => {
    assert.deepEqual(
      compareTraces(whole, done).flatMap((node) => node.differences),
      [],
    );
  });

  it('leaves executed traces unchanged', () => {
    assert.doesNotMatch(traceText(done), /emulat/);
    assert.equal(traceSummary(done).state, 'complete');
  });
});

describe('actions of a service', () => {
  it('are in chronological order, starting with the first call', () => {
    const action = (lt: number, opcode: string): V3Action => ({
      type: 'call_contract',
      start_lt: String(lt),
      details: { opcode, source: fakeAccount(0), destination: fakeAccount(1) },
    });
    const context = emulated([], (trace) => {
      trace.actions = [
        action(1000004, '0x00000003'),
        action(1000002, '0x00000002'),
        action(999999, '0x00000001'),
      ];
    });
    assert.deepEqual(
      traceActions(context).map(({ words }) => /0x0000000\d/.exec(words)?.[0]),
      ['0x00000001', '0x00000002', '0x00000003'],
    );
    assert.match(traceText(context), /^✓ call .*0x00000001/);
  });
});

describe('a message without its transaction', () => {
  const lacking = (state: string): TraceContext => {
    const trace = syntheticTrace(3, chain);
    delete trace.transactions?.[fakeHash('tx', 2)];
    trace.trace = null;
    trace.transactions_order = trace.transactions_order?.slice(0, 2) ?? [];
    Object.assign(transactionOf(trace, 1).out_msgs?.[0] ?? {}, { opcode: '0x00000000' });
    Object.assign(transactionOf(trace, 1).in_msg ?? {}, { opcode: '0x00000000' });
    Object.assign(transactionOf(trace, 0).out_msgs?.[0] ?? {}, { opcode: '0x00000000' });
    Object.assign(trace.trace_info ?? {}, { trace_state: state });
    return new TraceContext(modelFrom(trace));
  };

  it('has the same mark everywhere, and the answer is not called complete', () => {
    const context = lacking('complete');
    assert.deepEqual(
      traceActions(context).map(({ symbol }) => symbol),
      ['✓', '?'],
    );
    assert.deepEqual(
      tracePageOf(context).nodes.map(({ symbol }) => symbol),
      ['✓', '✓', '?'],
    );
    assert.match(traceText(context), /^ {2}incomplete, 2 transactions of 3, /m);
    assert.doesNotMatch(traceText(context), / complete, 2|✗|✓ transfer .* and 1 more/);
    assert.equal(traceSummary(context).incomplete, true);
  });

  it('is in transit while the trace is pending', () => {
    const context = lacking('pending');
    assert.deepEqual(
      traceActions(context).map(({ symbol }) => symbol),
      ['✓', '◌'],
    );
    assert.equal(traceSummary(context).pending, 1);
    assert.equal(traceSummary(context).incomplete, false);
  });
});

describe('a notification that cannot run', () => {
  const notice = (value: string, bounce?: string): TraceContext =>
    emulated([], (trace) => {
      const last = transactionOf(trace, 2);
      Object.assign(last.in_msg ?? {}, { value, bounce: true });
      last.description = {
        aborted: true,
        compute_ph: { skipped: true, reason: 'no_gas' },
        ...(bounce === undefined ? {} : { bounce: { type: bounce } }),
      };
    });

  it('of one nanocoin is not a failure, whatever its bounce flag says', () => {
    assert.equal(notice('1', 'nofunds').model.nodes[2]?.outcome, 'notRun');
    assert.equal(notice('1').model.nodes[2]?.outcome, 'notRun');
    assert.equal(traceSummary(notice('1', 'nofunds')).verdict, null);
  });

  it('is a failure when it carried coins', () => {
    assert.equal(notice('2', 'nofunds').model.nodes[2]?.outcome, 'failed');
    assert.equal(notice('5000000', 'ok').model.nodes[2]?.outcome, 'failed');
  });
});
