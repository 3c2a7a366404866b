import assert from 'node:assert/strict';
import { Address, beginCell } from '@ton/core';
import type { Cell } from '@ton/core';
import fc from 'fast-check';
import type { V3MessageWire } from '../../../../src/toolkit/api/v3Objects';
import type { V3TraceWire } from '../../../../src/toolkit/api/v3Traces';
import { TraceContext } from '../../../../src/toolkit/trace/traceContext';
import { moneyFlows } from '../../../../src/toolkit/trace/page/moneyFlows';
import { checkFlows } from '../../../support/checkFlows';
import { modelFrom } from '../../../support/modelFrom';
import { contextOf, recordedAnswer, recordedNames } from '../fixtures';
import { chain, fakeAccount, fakeHash, syntheticTrace, tellBody, wide } from '../syntheticTrace';

/** TEP-74's order to burn 70 units, or the notification of it. */
function burnBody(opcode: number): Cell {
  const owner = Address.parseRaw(fakeAccount(0).toLowerCase());
  return beginCell()
    .storeUint(opcode, 32)
    .storeUint(5, 64)
    .storeCoins(70)
    .storeAddress(owner)
    .storeAddress(owner)
    .endCell();
}

/** The messages of a trace, on both their sides. */
function messagesOf(trace: V3TraceWire): V3MessageWire[] {
  return Object.values(trace.transactions ?? {}).flatMap((transaction) =>
    [transaction?.in_msg, ...(transaction?.out_msgs ?? [])].filter((message) => message != null),
  );
}

/** A trace with few accounts, so that money comes back, and with any amounts. */
function tangled(parents: readonly number[], accounts: number, values: readonly number[]): V3TraceWire {
  const trace = syntheticTrace(parents.length + 1, (index) => (parents[index - 1] ?? 0) % index);
  const nameOf = new Map<string, string>();
  for (let index = 0; index <= parents.length; index++) {
    nameOf.set(fakeAccount(index), fakeAccount(((index * 7) % 13) % accounts));
  }
  for (const message of messagesOf(trace)) {
    message.source = nameOf.get(message.source ?? '') ?? null;
    message.destination = nameOf.get(message.destination ?? '') ?? null;
    if (message.value != null) {
      const sum = [...(message.hash ?? '')].reduce((code, letter) => code + letter.charCodeAt(0), 0);
      message.value = String(values[sum % values.length] ?? 0);
      message.value_extra_currencies = { 100: String(sum % 50) };
    }
  }
  for (const transaction of Object.values(trace.transactions ?? {})) {
    if (transaction != null) {
      transaction.account = nameOf.get(transaction.account ?? '') ?? '';
      transaction.account_state_before = null;
      transaction.account_state_after = null;
    }
  }
  return trace;
}

const anyTrace = fc
  .tuple(
    fc.array(fc.nat(), { minLength: 1, maxLength: 60 }),
    fc.integer({ min: 1, max: 12 }),
    fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 20 }),
  )
  .map(([parents, accounts, values]) => tangled(parents, accounts, values));

describe('who paid whom', () => {
  for (const name of recordedNames) {
    it(`says what the books of ${name} say, and leaves nothing unexplained`, () => {
      const assets = checkFlows(contextOf(recordedAnswer(name)));
      assert.ok(assets.length > 0);
      assert.deepEqual(
        assets.flatMap(({ parties, unknown }) => [
          ...parties.filter(({ kind }) => kind === 'unknown'),
          ...unknown,
        ]),
        [],
      );
    });
  }

  it('names payer, receiver, and fees of a recorded jetton transfer', () => {
    const context = contextOf(recordedAnswer('ft-sent-traces'));
    const [, jettons] = moneyFlows(context);
    const told = jettons?.flows.map(({ from, to, text }) => [
      jettons.parties[from]?.account,
      jettons.parties[to]?.account,
      text,
    ]);
    assert.deepEqual(told?.length, 1);
    const [coins] = moneyFlows(context);
    assert.deepEqual(coins?.parties.at(-1)?.name, 'fees');
  });

  it('adds up in any whole trace, where no money is unexplained', () => {
    fc.assert(
      fc.property(anyTrace, (trace) => {
        const assets = checkFlows(new TraceContext(modelFrom(trace)));
        assert.ok(assets.every(({ parties }) => parties.every(({ kind }) => kind !== 'unknown')));
        return true;
      }),
      { numRuns: 300 },
    );
  });

  it('adds up when transactions are missing', () => {
    fc.assert(
      fc.property(
        anyTrace,
        fc.array(fc.nat(60), { maxLength: 5 }),
        fc.boolean(),
        (trace, gone, isPending) => {
          for (const index of gone.filter((one) => one > 0)) {
            delete trace.transactions?.[fakeHash('tx', index)];
          }
          checkFlows(new TraceContext(modelFrom(trace, { isPending })));
          return true;
        },
      ),
      { numRuns: 300 },
    );
  });

  it('tells what is on the way from what nobody knows', () => {
    const trace = syntheticTrace(3, chain);

    delete trace.transactions?.[fakeHash('tx', 2)];
    const partiesOf = (isPending: boolean): unknown[] =>
      checkFlows(new TraceContext(modelFrom(trace, { isPending })))
        .flatMap(({ parties }) => parties)
        .filter(({ account, kind }) => account === -1 && kind !== 'fees')
        .map(({ kind, name, change }) => [kind, name, change]);
    assert.deepEqual(partiesOf(true), [['outside', 'on the way', '5000000']]);
    assert.deepEqual(partiesOf(false), [['unknown', 'not in the answer', '5000000']]);
  });

  it('takes coins that no message explains from an unknown party, and says so', () => {
    const trace = syntheticTrace(2, chain);
    const last = trace.transactions?.[fakeHash('tx', 1)];
    assert.ok(last);
    last.account_state_after = { balance: '10004999100', account_status: 'active' };
    const [coins] = checkFlows(new TraceContext(modelFrom(trace)));
    const unknown = coins?.parties.find(({ kind }) => kind === 'unknown');
    assert.deepEqual([unknown?.name, unknown?.change], ['unknown', '-100']);
    assert.match(coins?.unknown[0] ?? '', /^The balance of .* its messages and fees explain/);
  });

  it('mints and burns jettons', () => {
    const trace = syntheticTrace(3, chain);
    tellBody(trace, 1, burnBody(0x595f07bc));
    tellBody(trace, 2, burnBody(0x7bdd97de));
    const [, jettons] = checkFlows(new TraceContext(modelFrom(trace)));
    assert.deepEqual(
      jettons?.parties.map(({ kind, change }) => [kind, change]),
      [
        ['account', '-70'],
        ['burned', '70'],
      ],
    );
  });

  for (const [name, shape] of [
    ['5,000 deep', chain],
    ['wide', wide],
    ['with 100 accounts', (index: number) => index - 1],
  ] as const) {
    it(`sums up 10,000 transactions, ${name}`, () => {
      const trace =
        name === 'with 100 accounts'
          ? tangled([...Array(9_999).keys()], 100, [3, 5, 900, 12, 77])
          : syntheticTrace(10_000, shape);
      checkFlows(new TraceContext(modelFrom(trace)));
    });
  }
});
