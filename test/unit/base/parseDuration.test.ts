import assert from 'node:assert/strict';
import { parseDuration } from '../../../src/toolkit/base/time';

describe('a duration', () => {
  it('is a number with a unit', () => {
    const read = ['90', ' 15m', '6 h', '30d', '1y', '0s'].map(parseDuration);
    assert.deepEqual(read, [90, 900, 21_600, 2_592_000, 31_536_000, 0]);
    assert.deepEqual(['', 'y', '1w', '-1d', '1.5y', '1 year'].map(parseDuration).filter(Boolean), []);
  });
});
