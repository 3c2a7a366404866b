import assert from 'node:assert/strict';
import { beginCell } from '@ton/core';
import { vmValue } from '../../../src/toolkit/debug/debugValue';
import type { DebugValue } from '../../../src/toolkit/debug/debugValue';
import { evaluate } from '../../../src/toolkit/debug/evaluate';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import type { VmValue } from '../../../src/toolkit/recording/vmValue';

const nameOf = (): undefined => undefined;
const cell = beginCell().storeUint(7, 32).endCell();
const values: Readonly<Record<string, VmValue>> = {
  amount: { type: 'int', value: 5n },
  'st.owner': { type: 'int', value: -3n },
  s0: { type: 'cell', cell },
  s1: { type: 'slice', cell },
  pair: {
    type: 'tuple',
    items: [
      { type: 'int', value: 1n },
      { type: 'int', value: 2n },
    ],
  },
  nothing: { type: 'null' },
};
const scope = {
  nameOf,
  find: (name: string): DebugValue | undefined =>
    values[name] === undefined ? undefined : vmValue(values[name], nameOf),
};

describe('an expression at a stop', () => {
  it('has names, numbers, arithmetic, and comparisons', () => {
    for (const [text, expected] of [
      ['amount', '5'],
      ['st.owner', '-3'],
      ['amount + 2 * 3', '11'],
      ['(amount + 2) * 3', '21'],
      ['0xff - 1_000', '-745'],
      ['1.5ton + 7nano', '1500000007'],
      ['amount == 2ton', 'false'],
      ['-7 / 2', '-4'],
      ['-7 % 2', '1'],
      ['7 / -2', '-4'],
      ['7 % -2', '-1'],
      ['-amount', '-5'],
      ['!amount', 'false'],
      ['amount >= 5 && st.owner < 0', 'true'],
      ['amount == 4 || amount != 5', 'false'],
      ['pair[1] + pair[0]', '3'],
      ['pair', 'tuple of 2'],
      ['s0 == s1', 'true'],
      ['nothing == amount', 'false'],
      ['s0', 'cell of 32 bits'],
      ['s0.bits', '32'],
    ] as const) {
      assert.equal(evaluate(text, scope).text, expected, text);
    }
    assert.equal(evaluate('s0', scope).stackText?.(), 'cell x{00000007}');
  });

  it('says what is wrong with it', () => {
    for (const [text, expected] of [
      ['', /nothing to evaluate/],
      ['amount +', /not complete/],
      ['amount amount', /Cannot read this expression at “amount”/],
      ['(amount', /A “\)” is missing/],
      ['other', /other is not known here/],
      ['st.other', /st\.other is not known here/],
      ['pair[9]', /There is no \[9\] in it/],
      ['s0 + 1', /cell of 32 bits is not a number/],
      ['amount / 0', /divide by zero/],
      ['#', /Cannot read this expression at “#”/],
      ['amount; 1', /Cannot read/],
      [`${'('.repeat(60)}1${')'.repeat(60)}`, /too many parentheses/],
      ['-'.repeat(200) + '1', /too many parentheses/],
      ['1'.repeat(1001), /longer than 1000/],
    ] as const) {
      assert.throws(
        () => evaluate(text, scope),
        (error) => WorkbenchError.is(error, 'expression-invalid') && expected.test(error.message),
        text,
      );
    }
  });
});
