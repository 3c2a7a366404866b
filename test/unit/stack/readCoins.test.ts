import assert from 'node:assert/strict';
import { readCoins } from '../../../src/toolkit/stack/integerText';

describe('an amount in coins', () => {
  it('is converted to nanocoins', () => {
    assert.equal(readCoins('1.5'), 1_500_000_000n);
    assert.equal(readCoins(' 100 '), 100_000_000_000n);
    assert.equal(readCoins('0.000000001'), 1n);
    assert.equal(readCoins('999999999999'), 999_999_999_999_000_000_000n);
  });

  it('is rejected in any other form', () => {
    for (const text of [
      '',
      '-1',
      '1.',
      '.5',
      '1.0000000001',
      '1,5',
      '1e3',
      '0x10',
      '1ton',
      '1234567890123',
    ]) {
      assert.equal(readCoins(text), undefined, text);
    }
  });
});
