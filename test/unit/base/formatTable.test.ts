import assert from 'node:assert/strict';
import { formatTable, padLeft, padRight, textWidth } from '../../../src/toolkit/base/formatTable';

describe('tables of text', () => {
  it('align columns by visible width: wide characters, emoji, combining marks', () => {
    assert.deepEqual(['abc', '你好', '👩‍💻', 'e\u0301', 'ｶﾞ'].map(textWidth), [3, 4, 2, 1, 2]);
    assert.deepEqual(
      formatTable(
        [
          ['你好', 'a'],
          ['name', 'b'],
          ['👩‍💻', 'c'],
        ],
        ['left', 'left'],
      ),
      ['你好  a', 'name  b', '👩‍💻    c'],
    );
    assert.deepEqual(['↳ a…z', '✓ a → b', '↩\ufe0f'].map(textWidth), [5, 7, 2]);
    assert.equal(padLeft('你', 4), '  你');
    assert.equal(padRight('你', 4), '你  ');
    assert.equal(padRight('longer', 4), 'longer');
  });

  it('align numbers at the decimal point, and words at the right', () => {
    assert.deepEqual(formatTable([['amount'], ['1.5'], ['20'], ['-3.25']], ['decimal']), [
      'amount',
      ' 1.5',
      '20',
      '-3.25',
    ]);
    assert.deepEqual(
      formatTable(
        [
          ['9', 'x'],
          ['10', 'y'],
        ],
        ['right', 'left'],
      ),
      [' 9  x', '10  y'],
    );
  });
});
