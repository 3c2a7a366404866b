import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decimalsBetween, fromBaseUnits, toBaseUnits } from '../../../src/toolkit/webhook/values/amount';

describe('webhook amounts', () => {
  it('convert human units to base units exactly, or not at all', () => {
    assert.equal(toBaseUnits('10.5', 9), 10500000000n);
    assert.equal(toBaseUnits('0.000000001', 9), 1n);
    assert.equal(toBaseUnits('0.0000000001', 9), undefined);
    assert.equal(toBaseUnits('1.50', 1), 15n);
    assert.equal(toBaseUnits('90071992547409.93', 2), 9007199254740993n, 'beyond what floating point holds');
  });

  it('reveal the decimals between an amount and its base units', () => {
    assert.equal(decimalsBetween('10.5', '10500000000'), 9);
    assert.equal(decimalsBetween('25', '25000000'), 6);
    assert.equal(decimalsBetween('25', '25'), 0);
    assert.equal(decimalsBetween('0', '0'), null);
    assert.equal(decimalsBetween('0', '1'), undefined);
    assert.equal(decimalsBetween('1', '0'), undefined);
    assert.equal(decimalsBetween('10.5', '10500000001'), undefined);
    assert.equal(decimalsBetween('10.5', '1'), undefined);
  });

  it('convert back and forth for every amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 120n }), fc.nat(30), (units, decimals) => {
        const text = fromBaseUnits(units, decimals);
        assert.equal(toBaseUnits(text, decimals), units);
        assert.equal(decimalsBetween(text, units.toString()), units === 0n ? null : decimals);
      }),
    );
  });
});
