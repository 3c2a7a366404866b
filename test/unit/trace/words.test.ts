import assert from 'node:assert/strict';
import { beginCell } from '@ton/core';
import { actionWords } from '../../../src/toolkit/trace/actionWords';
import { compareTraces, comparisonText } from '../../../src/toolkit/trace/compareTraces';
import { nodeChangeText } from '../../../src/toolkit/trace/nodeChange';
import { mermaidText } from '../../../src/toolkit/trace/mermaidText';
import { readTraces } from '../../../src/toolkit/trace/readTraces';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import type { TraceKnowledge } from '../../../src/toolkit/trace/traceModel';
import { traceActions } from '../../../src/toolkit/trace/traceActions';
import { traceDocument } from '../../../src/toolkit/trace/traceDocument';
import { matchesFilter } from '../../../src/toolkit/trace/traceFilter';
import { tracePageOf } from '../../support/tracePageOf';
import { traceSummary } from '../../../src/toolkit/trace/traceSummary';
import { traceText } from '../../../src/toolkit/trace/traceText';
import { transactionText } from '../../../src/toolkit/trace/transactionText';
import { verdictOf } from '../../../src/toolkit/trace/verdict';
import type { V3TransactionWire as V3Transaction } from '../../../src/toolkit/api/v3Objects';
import type { V3TraceWire as V3Trace } from '../../../src/toolkit/api/v3Traces';
import { foldNodes } from '../../../src/webview/tracePage/foldNodes';
import { pictureSvg } from '../../../src/webview/tracePage/pictureSvg';
import { chain, fakeAccount, fakeHash, syntheticTrace, wide } from './syntheticTrace';

const names = new Map(
  ['alice', 'bob', 'minter'].map((name, index) => [fakeAccount(index).toLowerCase(), name]),
);

function contextOf(trace: V3Trace, rest: object = {}, knowledge: TraceKnowledge = { names }): TraceContext {
  const [model] = readTraces({ traces: [trace], ...rest });
  assert.ok(model);
  return new TraceContext(model, knowledge);
}

/** Two transactions; the second as given. */
function pair(change: (second: V3Transaction) => void): V3Trace {
  const trace = syntheticTrace(2, chain);
  const second = trace.transactions?.[fakeHash('tx', 1)] as V3Transaction;
  const first = trace.transactions?.[fakeHash('tx', 0)] as V3Transaction;
  change(second);
  first.out_msgs = second.in_msg == null ? [] : [second.in_msg];
  return trace;
}

const hostile =
  '<img src=x onerror=alert(1)> [run](command:evil) \u202egpj.exe\u202c\n# Title `x` "]-->|y| ${z}';

describe('a verdict', () => {
  const failing = (description: NonNullable<V3Transaction['description']>, bounce = true): TraceContext =>
    contextOf(
      pair((second) => {
        second.description = { type: 'ord', aborted: true, ...description };
        Object.assign(second.in_msg ?? {}, { bounce });
      }),
    );

  it('names the transaction, the phase, and the meaning of the code', () => {
    const context = failing({
      compute_ph: { skipped: false, success: false, exit_code: 9 },
      bounce: { type: 'nofunds' },
    });
    assert.equal(
      verdictOf(context),
      'bob failed on 0x12345678: cell underflow, exit code 9; nothing bounced: what was left of 0.005 TON does not cover a message back.',
    );
  });

  it("prefers the contract's own name for it, made safe", () => {
    const trace = pair((second) => {
      second.description = { aborted: true, compute_ph: { success: false, exit_code: 1234 } };
    });
    const errors = new Map([[1234, 'Not\u202eOwner']]);
    const knowledge: TraceKnowledge = { names, exitSource: () => ({ errors }) };
    assert.match(
      verdictOf(contextOf(trace, {}, knowledge)) ?? '',
      /^bob refused 0x12345678: Not\\u\{202e\}Owner, 1234/,
    );
    assert.match(verdictOf(contextOf(trace)) ?? '', /refused 0x12345678: exit code 1234/);
  });

  it('names the line that threw, with the values there, once it is known', () => {
    const trace = pair((second) => {
      second.description = { aborted: true, compute_ph: { success: false, exit_code: 402 } };
    });
    const hash = contextOf(trace).model.nodes[1]?.hash;
    const line = {
      place: 'till.tolk:8',
      text: 'assert (amount <= limit) throw 402;',
      values: ['amount = 500'],
      code: 'assert (amount <= limit)',
      under: '        500       ?',
    };
    const known = (values: readonly string[]): TraceKnowledge => ({
      names,
      thrownLine: (asked) => (asked === hash ? { ...line, values } : undefined),
    });
    assert.match(
      verdictOf(contextOf(trace, {}, known(line.values))) ?? '',
      /: exit code 402, at till\.tolk:8 `assert \(amount <= limit\)` with amount = 500\.$/,
    );
    assert.match(
      verdictOf(contextOf(trace, {}, known([]))) ?? '',
      /, at till\.tolk:8 `assert \(amount <= limit\)`\.$/,
    );
    assert.doesNotMatch(verdictOf(contextOf(trace)) ?? '', /till/);
  });

  it('distinguishes the action phase from the compute phase', () => {
    const context = failing({
      compute_ph: { success: true, exit_code: 0 },
      action: { success: false, result_code: 37, result_arg: 2 },
    });
    assert.match(
      verdictOf(context) ?? '',
      /^bob failed in the action phase of 0x12345678 at action 3: not enough coins, result code 37/,
    );
  });

  for (const [reason, words] of [
    ['no_state', 'no contract there'],
    ['bad_state', 'state init does not match'],
    ['no_gas', 'no gas'],
    ['suspended', 'account suspended'],
  ] as const) {
    it(`explains a skipped compute phase: ${reason}`, () => {
      const context = failing({ compute_ph: { skipped: true, reason } });
      assert.match(verdictOf(context) ?? '', new RegExp(`^bob did not run its code of 0x12345678: ${words}`));
    });
  }

  it('is empty if nothing failed', () => {
    assert.equal(verdictOf(contextOf(syntheticTrace(5, wide))), undefined);
    assert.equal(traceSummary(contextOf(syntheticTrace(5, wide))).verdict, null);
  });

  it('counts other failures', () => {
    const trace = syntheticTrace(4, chain);
    for (const index of [1, 2, 3]) {
      const transaction = trace.transactions?.[fakeHash('tx', index)] as V3Transaction;
      transaction.description = { aborted: true, compute_ph: { success: false, exit_code: 9 } };
    }
    assert.match(verdictOf(contextOf(trace)) ?? '', /^bob .* \(and 2 more transactions failed\)\.$/);
    assert.equal(traceSummary(contextOf(trace)).failed, 3);
  });
});

describe('tick-tock', () => {
  it('is described without a message, and its amounts add up', () => {
    const trace: V3Trace = {
      trace_id: fakeHash('tx', 0),
      transactions_order: [fakeHash('tx', 0)],
      transactions: {
        [fakeHash('tx', 0)]: {
          account: fakeAccount(0),
          hash: fakeHash('tx', 0),
          total_fees: '0',
          description: { type: 'tick_tock', is_tock: true, compute_ph: { success: true, exit_code: 0 } },
          in_msg: null,
          out_msgs: [],
          account_state_before: { balance: '5' },
          account_state_after: { balance: '5' },
        },
      },
    };
    const summary = traceSummary(contextOf(trace));
    assert.deepEqual(summary.actions, ['tock of alice']);
    assert.deepEqual(summary.unknown, []);
    assert.equal(summary.fees, '0');
  });
});

describe('money', () => {
  it('shows what the messages do not explain', () => {
    const trace = pair((second) => {
      second.account_state_after = { ...second.account_state_after, balance: '1' };
    });
    const { unknown } = traceSummary(contextOf(trace));
    assert.equal(unknown.length, 1);
    assert.match(unknown[0] ?? '', /^The balance of B bob changed by -/);
  });

  it('attributes what came from outside the trace to its sender', () => {
    const trace = syntheticTrace(1, chain);
    const only = trace.transactions?.[fakeHash('tx', 0)] as V3Transaction;
    only.in_msg = { ...only.in_msg, source: fakeAccount(2), value: '7000' };
    only.account_state_after = { balance: '10000006000' };
    const summary = traceSummary(contextOf(trace));
    assert.deepEqual(
      summary.money.map((row) => [row.name, row.coins]),
      [
        ['alice', '6000'],
        ['minter', '-7000'],
      ],
    );
    assert.deepEqual(summary.unknown, []);
  });
});

describe('actions of the service in words', () => {
  const context = contextOf(syntheticTrace(3, chain));
  const words = (type: string, details: Record<string, unknown>): string =>
    actionWords({ type, details }, context).words;

  it('has words for the usual kinds', () => {
    const [alice, bob, minter] = [0, 1, 2].map(fakeAccount);
    assert.equal(
      words('ton_transfer', { source: alice, destination: bob, value: '1500000000', comment: 'rent' }),
      'transfer 1.5 TON, alice → bob, comment "rent"',
    );
    assert.equal(
      words('jetton_transfer', {
        asset: minter,
        sender: alice,
        receiver: bob,
        amount: '25',
        is_encrypted_comment: true,
      }),
      'jetton transfer 25 units of minter, alice → bob, encrypted comment',
    );
    assert.equal(
      words('jetton_swap', {
        dex: 'stonfi',
        sender: alice,
        dex_incoming_transfer: { amount: '1000000000' },
        dex_outgoing_transfer: { asset: minter, amount: '7' },
      }),
      'swap 1 TON for 7 units of minter by alice on stonfi',
    );
    assert.equal(words('nft_mint', { owner: alice, nft_item: bob }), 'NFT mint bob by alice');
  });

  it('names the message of a call if its opcode has a name', () => {
    const trace = pair((second) => {
      Object.assign(second.in_msg ?? {}, { opcode: '0x00000015', decoded_opcode: null });
    });
    const called = { type: 'call_contract', transactions: [fakeHash('tx', 1)] };
    const say = (opcode: string): string =>
      actionWords(
        { ...called, details: { destination: fakeAccount(1), source: fakeAccount(0), opcode } },
        contextOf(trace),
      ).words;
    assert.equal(say('0x00000015'), 'call bob: jetton_mint, from alice');
    assert.equal(say('0x00001234'), 'call bob: 0x00001234, from alice', 'that of another message');
  });

  it('describes an unknown kind by its parts', () => {
    assert.equal(
      words('moon_landing', { pilot: fakeAccount(0), crew_size: 3 }),
      'moon landing: pilot alice, crew size 3',
    );
    assert.equal(words('moon_landing', {}), 'moon landing');
  });
});

describe('hostile text', () => {
  const trace = pair((second) => {
    const body = beginCell().storeUint(0, 32).storeStringTail(hostile).endCell().toBoc().toString('base64');
    Object.assign(second.in_msg ?? {}, {
      opcode: '0x00000000',
      message_content: {
        hash: hostile,
        body,
        decoded: { '@type': 'text_comment', comment: hostile, [hostile]: 1 },
      },
      decoded_opcode: hostile,
    });
    second.end_status = hostile;
  });
  trace.warning = hostile;
  trace.is_incomplete = true;
  trace.actions = [{ type: hostile, details: { [hostile]: hostile, comment: hostile } }];
  const raw = fakeAccount(1);
  const context = contextOf(
    trace,
    {
      address_book: { [raw]: { domain: hostile, interfaces: [hostile], user_friendly: hostile } },
      metadata: {
        [raw]: { token_info: [{ type: 'nft_items', name: hostile, extra: { [hostile]: hostile } }] },
      },
    },
    {},
  );
  const texts = [
    traceText(context),
    traceDocument(context),
    JSON.stringify(tracePageOf(context)),
    ...context.model.nodes.map((node) => transactionText(node, context)),
    ...traceActions(context).map((action) => action.words),
  ];

  it('is shown without invisible characters', () => {
    for (const text of texts) {
      assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u200b]/);
      assert.doesNotMatch(text.replaceAll('\n', ''), /\p{Cc}/u);
    }
    assert.doesNotMatch(traceText(context), /^# Title/m, 'a line break in a comment starts no line');
  });

  it('is never markup in Mermaid and SVG', () => {
    const mermaid = mermaidText(context);
    assert.doesNotMatch(mermaid, /<img|\[run\]|\|y\|/);
    assert.equal(mermaid.split('\n').filter((line) => /^ {2}t\d+\["/.test(line)).length, 2);
    const page = tracePageOf(context);
    const tree = foldNodes(page.nodes, { collapsed: new Set(), unfolded: new Set() });
    for (const picture of ['flow', 'sequence', 'money'] as const) {
      const svg = pictureSvg({ page, tree, picture, measure: 'value' });
      assert.doesNotMatch(svg, /<img|<script|href/);
    }
  });
});

describe('comparing two traces', () => {
  it('finds no difference between a trace and itself', () => {
    const context = contextOf(syntheticTrace(20, wide));
    assert.deepEqual(
      compareTraces(context, context).flatMap((node) => node.differences),
      [],
    );
  });

  it('names what changed, and keeps the rest aligned', () => {
    const before = contextOf(syntheticTrace(9, wide));
    const trace = syntheticTrace(9, wide);
    const third = trace.transactions?.[fakeHash('tx', 3)] as V3Transaction;
    third.description = {
      aborted: true,
      compute_ph: { skipped: false, success: false, exit_code: 73, gas_used: '99' },
    };
    delete trace.transactions?.[fakeHash('tx', 5)];
    trace.transactions_order = trace.transactions_order?.filter((hash) => hash !== fakeHash('tx', 5)) ?? [];
    trace.trace = null;
    const root = trace.transactions?.[fakeHash('tx', 0)] as V3Transaction;
    root.out_msgs = root.out_msgs?.filter((message) => message?.hash !== fakeHash('msg', 5)) ?? [];
    const changed = compareTraces(before, contextOf(trace)).filter(
      ({ right, differences }) => right === undefined || differences.length > 0,
    );
    assert.deepEqual(
      changed.map((node) => [
        node.left?.index,
        node.right === undefined,
        node.differences.map(nodeChangeText),
      ]),
      [
        [0, false, ['messages out 8 → 7', 'fee 0.0000026 → 0.0000025 TON']],
        [3, false, ['result exit 0 → exit 73', 'gas 10 → 99']],
        [5, true, []],
      ],
    );
    const text = comparisonText(before, contextOf(trace));
    assert.match(text, /right: .*\n {2}\S+ refused 0x12345678: exit code 73/);
    assert.match(text, /- .*only on the left/);
  });
});

describe('filters of listed traces', () => {
  const context = contextOf(syntheticTrace(3, chain));

  it('match direction, failure, and kind of action', () => {
    assert.equal(matchesFilter(context, {}), true);
    assert.equal(matchesFilter(context, { account: fakeAccount(0), direction: 'out' }), true);
    assert.equal(matchesFilter(context, { account: fakeAccount(1), direction: 'out' }), false);
    assert.equal(matchesFilter(context, { account: fakeAccount(1), direction: 'in' }), true);
    assert.equal(matchesFilter(context, { failedOnly: true }), false);
    assert.equal(matchesFilter(context, { actionTypes: ['call_contract'] }), true);
    assert.equal(matchesFilter(context, { actionTypes: ['nft_mint'] }), false);
  });
});
