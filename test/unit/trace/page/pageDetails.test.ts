import assert from 'node:assert/strict';
import { beginCell } from '@ton/core';
import { TraceContext } from '../../../../src/toolkit/trace/traceContext';
import type { TraceKnowledge } from '../../../../src/toolkit/trace/traceModel';
import { pageDetails } from '../../../../src/toolkit/trace/page/pageDetails';
import type { DetailsOrigin } from '../../../../src/toolkit/trace/page/pageDetails';
import { pageCommands } from '../../../../src/toolkit/trace/page/tracePage';
import type { PageDetails } from '../../../../src/toolkit/trace/page/tracePage';
import { modelFrom } from '../../../support/modelFrom';
import { contextOf, recordedAnswer, recordedNames } from '../fixtures';
import { chain, fakeHash, syntheticTrace, tellBody } from '../syntheticTrace';

const everything: DetailsOrigin = { commands: pageCommands, isUndone: false };

function detailsOf(context: TraceContext, index: number, origin = everything): PageDetails {
  const node = context.model.nodes[index];
  assert.ok(node);
  return pageDetails(node, context, origin);
}

/** `label: text` by section. */
function told({ sections }: PageDetails): Record<string, string[]> {
  return Object.fromEntries(
    sections.map(({ title, rows }) => [title, rows.map(({ label, text }) => `${label}: ${text}`)]),
  );
}

/** A call that throws 402. */
function failing(knowledge: TraceKnowledge = {}): TraceContext {
  const trace = syntheticTrace(2, chain);
  const called = trace.transactions?.[fakeHash('tx', 1)];
  assert.ok(called?.description?.compute_ph);
  called.description = {
    type: 'ord',
    aborted: true,
    compute_ph: { ...called.description.compute_ph, success: false, exit_code: 402, vm_steps: 34 },
  };
  return new TraceContext(modelFrom(trace), knowledge);
}

describe('details of a transaction', () => {
  it('show the message with its fields by name, the execution, the state, the fees, and what it sent', () => {
    const context = contextOf(recordedAnswer('ft-sent-traces'));
    const index = context.model.nodes.findIndex(
      ({ message }) => message != null && context.messageName(message) === 'jetton_transfer',
    );
    const sections = told(detailsOf(context, index));
    assert.deepEqual(Object.keys(sections), ['Message', 'Execution', 'State', 'Sent', 'Fees', 'Transaction']);
    assert.ok(sections.Message?.some((row) => row.startsWith('query_id: ')));
    assert.ok(sections.Message?.some((row) => row.startsWith('amount: 1')));
    assert.match(sections.Execution?.find((row) => row.startsWith('gas: ')) ?? '', /^gas: [\d ]+ of [\d ]+$/);
    assert.match(sections.Fees?.[0] ?? '', /^all: 0\.\d+ TON$/);
  });

  it('are made of every transaction that was recorded, and name each party whose page can be opened', () => {
    for (const name of recordedNames) {
      const context = contextOf(recordedAnswer(name));
      for (const node of context.model.nodes) {
        const details = pageDetails(node, context, everything);
        assert.ok(details.sentence !== '' && details.sections.length > 0);
        for (const { account } of details.sections.flatMap(({ rows }) => rows)) {
          assert.ok(account === undefined || context.model.accounts.includes(account));
        }
      }
    }
  });

  it('lead from the exit code to the line that threw, with its values', () => {
    const line = {
      place: 'till.tolk:8',
      text: 'assert (amount <= limit) throw 402;',
      values: ['amount = 500'],
      code: 'assert (amount <= limit)',
      under: '        500       ?',
    };
    const context = failing({
      thrownLine: () => line,
    });
    const details = detailsOf(context, 1);
    const rows = details.sections.find(({ title }) => title === 'Execution')?.rows ?? [];
    const [result, place, value, , steps] = rows;
    assert.deepEqual([result?.tone, result?.command], ['failed', 'line']);
    assert.deepEqual(place, {
      label: 'line',
      text: 'till.tolk:8  assert (amount <= limit) throw 402;',
      command: 'line',
    });
    assert.deepEqual(value, { label: 'with', text: 'amount = 500' });
    assert.deepEqual([steps?.text, steps?.command], ['34', 'steps']);
    assert.match(details.sentence, /, exit 402$/, 'the headline says the rest');
  });

  it('say of a failed call what came back and what is lost to fees', () => {
    const trace = syntheticTrace(3, chain);
    const [called, back] = [1, 2].map((index) => trace.transactions?.[fakeHash('tx', index)]);
    assert.ok(called?.description && called.in_msg && called.out_msgs?.[0] && back?.in_msg);
    called.description.aborted = true;
    called.description.compute_ph = { ...called.description.compute_ph, success: false, exit_code: 402 };
    called.in_msg.value = '100000000';
    for (const message of [called.out_msgs[0], back.in_msg]) {
      message.bounced = true;
      message.value = '93000000';
    }
    const balance = (nanocoins: string): void => {
      called.account_state_before = { ...called.account_state_before, balance: '10000000000' };
      called.account_state_after = { ...called.account_state_after, balance: nanocoins };
    };
    const money = (): string[] | undefined => told(detailsOf(new TraceContext(modelFrom(trace)), 1)).Money;
    balance('10000000000');
    const [attached, cameBack, lost] = money() ?? [];
    assert.equal(attached, 'attached: 0.1 TON');
    assert.match(cameBack ?? '', /^came back: 0\.093 TON, bounced to \w+/);
    assert.equal(lost, 'lost to fees: 0.007 TON');
    balance('9999000000');
    assert.equal(money()?.[2], 'lost to fees: 0.008 TON, of it 0.001 TON from the account');
    balance('10002000000');
    assert.deepEqual(money()?.slice(2), ['stays: 0.002 TON in the account', 'lost to fees: 0.005 TON']);
  });

  it('offer nothing that cannot be done with the trace', () => {
    const details = detailsOf(failing(), 1, { commands: ['text'], isUndone: false });
    assert.deepEqual(details.commands, ['text']);
    const offered = details.sections.flatMap(({ rows }) => rows.flatMap(({ command }) => command ?? []));
    assert.deepEqual([...new Set(offered)], []);
  });

  it('say in words what is pending, emulated, or undone', () => {
    const trace = syntheticTrace(3, chain);
    delete trace.transactions?.[fakeHash('tx', 2)];
    const first = trace.transactions?.[fakeHash('tx', 1)];
    assert.ok(first);
    first.emulated = true;
    const context = new TraceContext(modelFrom(trace, { isPending: true }));
    assert.deepEqual(told(detailsOf(context, 2)).Status, ['transaction: waiting for a block']);
    assert.equal(detailsOf(context, 2).title.split(', ')[1], 'message 3 of 3');
    assert.deepEqual(told(detailsOf(context, 1, { ...everything, isUndone: true })).Status, [
      'undone: A restore of the local network has undone it.',
      'predicted: It is not in a block.',
    ]);
  });

  it('show hostile text so that it is seen', () => {
    const trace = syntheticTrace(2, chain);
    tellBody(trace, 1, beginCell().storeUint(0, 32).storeStringTail('pay\u202eme\n</script>').endCell());
    const rows = told(detailsOf(new TraceContext(modelFrom(trace)), 1)).Message ?? [];
    assert.ok(rows.includes('comment: "pay\\u{202e}me\\n</script>"'), rows.join('\n'));
  });

  it('count what is too much for a panel', () => {
    const trace = syntheticTrace(200, (index) => Math.min(index - 1, 0));
    const rows = told(detailsOf(new TraceContext(modelFrom(trace)), 0)).Sent ?? [];
    assert.equal(rows.length, 61);
    assert.equal(rows.at(-1), ': and 139 more messages');
  });
});
