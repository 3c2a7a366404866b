import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonNumberOf } from '../../../src/toolkit/payments/createPayment';
import { readAmount } from '../../../src/toolkit/payments/readAmount';
import { toBaseUnits } from '../../../src/toolkit/webhook/values/amount';

const units = (literal: string, decimals = 9): bigint | undefined => {
  const read = readAmount(literal, decimals);
  return 'problem' in read ? undefined : read.units;
};

describe('payments: amounts', () => {
  it('are exact in every spelling of JSON', () => {
    assert.equal(units('1.5'), 1_500_000_000n);
    assert.equal(units('0.000000001'), 1n);
    assert.equal(units('1e-9'), 1n);
    assert.equal(units('15E-1'), 1_500_000_000n);
    assert.equal(units('1.50e2'), 150_000_000_000n);
    assert.equal(units('100', 0), 100n);
    assert.equal(units('9007199254740991', 0), 9_007_199_254_740_991n);
    assert.equal(units('0.1', 18), 10n ** 17n);
  });

  it('are refused if they lost precision, have too many decimals, or are no amounts', () => {
    const refused: [string, RegExp][] = [
      ['9007199254740993', /lost precision/],
      ['0.30000000000000004', /lost precision/],
      ['123456789.12345679', /lost precision/],
      ['1e300', /lost precision/],
      ['1.0000000001', /9 decimals/],
      ['1e-10', /9 decimals/],
      ['0', /above 0/],
      ['0.000', /above 0/],
      ['-1', /above 0/],
      ['', /JSON number/],
      ['1.', /JSON number/],
    ];
    for (const [literal, reason] of refused) {
      const read = readAmount(literal, 9);
      assert.ok('problem' in read, literal);
      assert.match(read.problem, reason, literal);
    }
  });

  it('are never another amount than the number means, for any number that JavaScript writes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999_999 }),
        fc.integer({ min: 0, max: 999_999_999 }),
        (whole, rest) => {
          const text = `${whole}.${String(rest).padStart(9, '0')}`;
          const literal = JSON.stringify(Number(text));
          assert.equal(units(literal), toBaseUnits(text, 9));
        },
      ),
    );
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }), (number) => {
        const read = readAmount(JSON.stringify(number), 9);
        // Accepted: exactly the amount of which a hundred digits would say the same.
        assert.ok('problem' in read || Number(read.amount) === number);
      }),
    );
  });

  it('are read where they stand: at the top, the last of its name, with escapes and spaces', () => {
    assert.equal(jsonNumberOf('{"amount":1.50}', 'amount'), '1.50');
    assert.equal(jsonNumberOf('{"a":{"amount":2},"amount" :\n 1e-1 }', 'amount'), '1e-1');
    assert.equal(jsonNumberOf('{"amount":1,"amount":2}', 'amount'), '2');
    assert.equal(jsonNumberOf('{"\\u0061mount":3}', 'amount'), '3');
    assert.equal(jsonNumberOf('{"text":"\\"amount\\":9","amount":4}', 'amount'), '4');
    assert.equal(jsonNumberOf('{"amount":"5"}', 'amount'), undefined);
    assert.equal(jsonNumberOf('{"list":["amount",1]}', 'amount'), undefined);
  });

  it('are the number that JSON.parse sees, in any object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        (object, amount, first) => {
          const text = JSON.stringify(first ? { amount, ...object, b: 1 } : { ...object, amount });
          const parsed = (JSON.parse(text) as { amount: unknown }).amount;
          const literal = jsonNumberOf(text, 'amount');
          assert.deepEqual(
            literal === undefined ? undefined : Number(literal),
            typeof parsed === 'number' ? parsed : undefined,
          );
        },
      ),
    );
  });
});
