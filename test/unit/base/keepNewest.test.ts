import assert from 'node:assert/strict';
import { keepNewest } from '../../../src/toolkit/base/collections';

describe('keepNewest', () => {
  it('drops the oldest entries, and treats one that is set again as new', () => {
    const map = new Map<string, number>();
    ['a', 'b', 'c', 'a', 'd'].forEach((key, index) => keepNewest(map, key, index, 3));
    assert.deepEqual(
      [...map],
      [
        ['c', 2],
        ['a', 3],
        ['d', 4],
      ],
    );
  });

  it('keeps what is in use, however old, and what was just added', () => {
    const map = new Map<string, number>();
    ['a', 'b', 'c'].forEach((key, index) => keepNewest(map, key, index, 1, (old) => old === 'a'));
    assert.deepEqual([...map.keys()], ['a', 'c']);
  });
});
