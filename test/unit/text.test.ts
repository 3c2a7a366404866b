import assert from 'node:assert/strict';
import { visibleText } from '../../src/toolkit/text';

describe('visibleText', () => {
  it('leaves ordinary text of any language alone', () => {
    for (const text of ['', 'rent', 'Привет', 'مرحبا', '你好', 'USD₮', '❤️ 👩‍💻', '[a](command:b) <b>']) {
      assert.equal(visibleText(text), text);
    }
  });

  it('makes line breaks and control characters visible', () => {
    assert.equal(visibleText('a\nb\r\tc\u0000\u001b[31m'), 'a\\nb\\r\\tc\\u{0}\\u{1b}[31m');
    assert.equal(visibleText('a\u2028b\u2029c\u0085'), 'a\\u{2028}b\\u{2029}c\\u{85}');
  });

  it('makes bidirectional controls, zero-width and tag characters visible', () => {
    assert.equal(visibleText('txt.\u202eexe'), 'txt.\\u{202e}exe');
    assert.equal(visibleText('\u2066a\u2069\u200e\u061c'), '\\u{2066}a\\u{2069}\\u{200e}\\u{61c}');
    assert.equal(visibleText('a\u200bb\ufeff\u200dc'), 'a\\u{200b}b\\u{feff}\\u{200d}c');
    assert.equal(visibleText('\u{e0041}\u3164'), '\\u{e0041}\\u{3164}');
  });

  it('makes halves of surrogate pairs visible and never tears a pair apart', () => {
    assert.equal(visibleText('a\ud800b'), 'a\\u{d800}b');
    assert.equal(visibleText('ab😀cd', 4), 'ab…');
    assert.equal(visibleText('abcdef', 4), 'abc…');
    assert.equal(visibleText('abcd', 4), 'abcd');
  });
});
