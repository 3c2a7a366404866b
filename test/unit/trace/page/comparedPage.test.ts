import { beginCell } from '@ton/core';
import type { Cell } from '@ton/core';
import assert from 'node:assert/strict';
import type { V3TraceWire } from '../../../../src/toolkit/api/v3Traces';
import { TraceContext } from '../../../../src/toolkit/trace/traceContext';
import { comparedPage } from '../../../../src/toolkit/trace/page/comparedPage';
import type { ComparedPage } from '../../../../src/toolkit/trace/page/comparedPage';
import { pageDetails } from '../../../../src/toolkit/trace/page/pageDetails';
import { modelFrom } from '../../../support/modelFrom';
import { chain, fakeAccount, fakeHash, syntheticTrace, tellBody } from '../syntheticTrace';

const origin = { key: 'comparison a b', commands: ['text'] } as const;

function compared(left: V3TraceWire, right: V3TraceWire): ComparedPage {
  const [before, after] = [left, right].map((trace) => new TraceContext(modelFrom(trace)));
  assert.ok(before && after);
  return comparedPage(
    { name: 'the rehearsal', context: before },
    { name: 'what happened', context: after },
    origin,
  );
}

const differences = ({ page }: ComparedPage): unknown[] =>
  page.nodes.map(({ parent, difference }) => [
    parent,
    difference?.kind,
    ...(difference?.changes ?? []).map(({ what, from, to }) => `${what} ${from} → ${to}`),
  ]);

/** Its messages to these accounts, with these opcodes, instead of its own; in order. */
function readdressed(trace: V3TraceWire, messages: readonly { to: number; opcode: string }[]): V3TraceWire {
  messages.forEach(({ to, opcode }, index) => {
    const hash = fakeHash('msg', index + 1);
    const receiver = trace.transactions?.[fakeHash('tx', index + 1)];
    assert.ok(receiver);
    receiver.account = fakeAccount(to);
    for (const transaction of Object.values(trace.transactions ?? {})) {
      for (const message of [transaction?.in_msg, ...(transaction?.out_msgs ?? [])]) {
        if (message?.hash === hash) {
          message.destination = fakeAccount(to);
          message.opcode = opcode;
        }
      }
    }
  });
  return trace;
}

/** A root that sends these messages. */
const star = (messages: readonly { to: number; opcode: string }[]): V3TraceWire =>
  readdressed(
    syntheticTrace(messages.length + 1, () => 0),
    messages,
  );

const comment = (text: string): Cell => beginCell().storeUint(0, 32).storeStringTail(text).endCell();

const [deposit, payout, notice] = ['0x0a000001', '0x0a000002', '0x0a000003'] as const;

describe('two traces on one page', () => {
  it('that are alike differ nowhere', () => {
    const result = compared(syntheticTrace(3, chain), syntheticTrace(3, chain));
    assert.deepEqual(differences(result), [
      [-1, 'same'],
      [0, 'same'],
      [1, 'same'],
    ]);
    assert.deepEqual(
      result.page.money.map(({ title, compared: both }) => [title, both]),
      [['TON, the same in both', undefined]],
    );
    assert.deepEqual(
      [result.page.kind, result.page.verdict.symbol, result.page.verdict.text],
      ['comparison', '=', 'Both are alike: 3 transactions.'],
    );
  });

  it('show what changed in gas and fees, with both sides', () => {
    const right = syntheticTrace(3, chain);
    const changed = right.transactions?.[fakeHash('tx', 1)];
    assert.ok(changed?.description?.compute_ph);
    changed.description.compute_ph.gas_used = '25';
    changed.total_fees = '1200';
    const result = compared(syntheticTrace(3, chain), right);
    assert.deepEqual(differences(result)[1], [0, 'changed', 'gas 10 → 25', 'fee 0.0000012 → 0.0000013 TON']);
    assert.equal(result.page.verdict.text, '1 of 3 transactions changed.');
    assert.match(result.page.facts, /gas 30 → 45\. fees 0\.0000034 → 0\.0000035 TON$/);
  });

  it('keep what only one of them has, under its parent', () => {
    const result = compared(
      syntheticTrace(4, chain),
      syntheticTrace(2, () => 0),
    );
    assert.deepEqual(
      result.page.nodes.map(({ parent, difference }) => [parent, difference?.kind]),
      [
        [-1, 'same'],
        [0, 'changed'],
        [1, 'missing'],
        [2, 'missing'],
      ],
    );
    assert.match(result.page.verdict.text, /2 only in the rehearsal/);
    assert.deepEqual(
      result.pairs.map(({ left, right }) => [left?.index, right?.index]),
      [
        [0, 0],
        [1, 1],
        [2, undefined],
        [3, undefined],
      ],
    );
    assert.deepEqual(
      result.page.nodes.slice(2).map(({ difference }) => difference?.words),
      ['only in the rehearsal', 'only in the rehearsal'],
    );
    const used = result.page.nodes.map(({ account }) => result.page.accounts[account]?.account);
    assert.equal(new Set(used).size, 4);
  });

  it('name each changed field of a message, by its path, and its value', () => {
    const [left, right] = [syntheticTrace(3, chain), syntheticTrace(3, chain)];
    tellBody(left, 1, comment('rent'));
    tellBody(right, 1, comment('food'));
    const result = compared(left, right);
    assert.deepEqual(differences(result), [
      [-1, 'same'],
      [0, 'changed', 'comment "rent" → "food"'],
      [1, 'same'],
    ]);
  });

  it('name a changed body that cannot be read by its hashes', () => {
    const [left, right] = [syntheticTrace(3, chain), syntheticTrace(3, chain)];
    const body = (content: number): Cell =>
      beginCell().storeUint(0x12345678, 32).storeUint(content, 8).endCell();
    tellBody(left, 1, body(1));
    tellBody(right, 1, body(2));
    const [, [, kind, ...texts]] = differences(compared(left, right)) as string[][] as [string[], string[]];
    assert.equal(kind, 'changed');
    assert.match(texts.join(), /^body [0-9a-f]{6}….{4} → [0-9a-f]{6}….{4}$/);
  });

  it('pair what is alike: account and opcode, then the opcode, and never what has nothing in common', () => {
    const left = star([
      { to: 1, opcode: notice },
      { to: 2, opcode: payout },
      { to: 3, opcode: deposit },
    ]);
    const right = star([
      { to: 2, opcode: payout },
      { to: 4, opcode: deposit },
      { to: 5, opcode: '0x0a000009' },
    ]);
    const { pairs, page } = compared(left, right);
    assert.deepEqual(
      pairs.map(({ left: one, right: other }) => [one?.index, other?.index]),
      [
        [0, 0],
        [1, undefined],
        [2, 1],
        [3, 2],
        [undefined, 3],
      ],
    );
    assert.deepEqual(
      page.nodes.map(({ difference }) => difference?.kind),
      ['same', 'missing', 'same', 'changed', 'added'],
    );
    assert.match(page.nodes[3]?.difference?.changes[0]?.what ?? '', /^account$/);
  });

  it('keep several messages of one kind to one account aligned when the first is missing', () => {
    const to = { to: 1, opcode: payout };
    const [left, right] = [star([to, to, to]), star([to, to])];
    // Their second and third are the other's first and second.
    [3, 4].forEach((amount, index) => {
      for (const [trace, at] of [
        [left, index + 2],
        [right, index + 1],
      ] as const) {
        for (const message of trace.transactions?.[fakeHash('tx', 0)]?.out_msgs ?? []) {
          if (message?.hash === fakeHash('msg', at)) {
            message.value = String(amount);
          }
        }
        const { in_msg: received } = trace.transactions?.[fakeHash('tx', at)] ?? {};
        assert.ok(received);
        received.value = String(amount);
      }
    });
    assert.deepEqual(
      compared(left, right).pairs.map(({ left: one, right: other }) => [one?.index, other?.index]),
      [
        [0, 0],
        [1, undefined],
        [2, 1],
        [3, 2],
      ],
    );
  });

  it('never take a bounce for another message to the same account', () => {
    const [left, right] = [star([{ to: 1, opcode: payout }]), star([{ to: 1, opcode: notice }])];
    for (const message of [
      left.transactions?.[fakeHash('tx', 1)]?.in_msg,
      left.transactions?.[fakeHash('tx', 0)]?.out_msgs?.[0],
    ]) {
      assert.ok(message);
      message.bounced = true;
    }
    const kinds = compared(left, right).page.nodes.map(({ difference }) => difference?.kind);
    assert.deepEqual(kinds, ['same', 'missing', 'added']);
  });

  it('have one letter for each account, in the details of either trace', () => {
    const { page, pairs, contexts } = compared(
      star([{ to: 7, opcode: payout }]),
      star([{ to: 8, opcode: notice }]),
    );
    const letters = page.accounts.map(({ letter }) => letter);
    assert.deepEqual(letters, ['A', 'B', 'C']);
    const missing = pairs.findIndex(({ right }) => right === undefined);
    const shown = page.accounts[page.nodes[missing]?.account ?? -1];
    assert.ok(shown);
    assert.equal(contexts.left.letter(shown.account), shown.letter);
    assert.equal(new Set(page.nodes.map(({ account }) => letters[account])).size, 3);
  });

  it('have the money of both, and the difference for each party', () => {
    const right = syntheticTrace(3, chain);
    const changed = right.transactions?.[fakeHash('tx', 2)];
    assert.ok(changed?.account_state_after?.balance);
    changed.total_fees = '1500';
    changed.account_state_after.balance = String(BigInt(changed.account_state_after.balance) - 500n);
    const { money, accounts, sides } = compared(syntheticTrace(3, chain), right).page;
    assert.deepEqual(
      money.map(({ title }) => title),
      ['TON, the rehearsal', 'TON, what happened'],
    );
    assert.deepEqual(sides, ['the rehearsal', 'what happened']);
    const rows = money[0]?.compared ?? [];
    assert.deepEqual(rows, money[1]?.compared);
    const rowOf = (account: number): string[] | undefined =>
      rows.find((row) => accounts[row.account]?.account === fakeAccount(account).toLowerCase())?.texts;
    assert.deepEqual(rowOf(2), ['+0.004999', '+0.0049985', '-0.0000005']);
    assert.equal(rowOf(0)?.[2], '0');
    assert.equal(rows.at(-1)?.texts[2], '+0.0000005');
  });

  it('lead from the details of what only the first has to its own accounts', () => {
    const left = syntheticTrace(4, chain);
    const { page, pairs } = compared(
      left,
      syntheticTrace(2, () => 0),
    );
    const before = new TraceContext(modelFrom(left));
    const missing = pairs.flatMap(({ left: node, right }, index) =>
      node !== undefined && right === undefined ? [{ node, index }] : [],
    );
    assert.equal(missing.length, 2);
    for (const { node, index } of missing) {
      const rows = pageDetails(node, before, { commands: [], isUndone: false }).sections.flatMap(
        (section) => section.rows,
      );
      const own = page.accounts[page.nodes[index]?.account ?? -1]?.account;
      assert.ok(own !== undefined && rows.some(({ account }) => account === own));
    }
  });

  it('of 5,000 levels are compared without recursion', () => {
    const { page } = compared(syntheticTrace(5_000, chain), syntheticTrace(5_000, chain));
    assert.equal(page.nodes.at(-1)?.parent, 4_998);
  });
});
