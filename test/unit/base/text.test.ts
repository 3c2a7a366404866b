import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  milliseconds,
  shortenMiddle,
  visibleJson,
  visibleLines,
  visibleText,
} from '../../../src/toolkit/base/text';

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

  it('makes halves of surrogate pairs visible and never splits a pair', () => {
    assert.equal(visibleText('a\ud800b'), 'a\\u{d800}b');
    assert.equal(visibleText('ab😀cd', 4), 'ab…');
    assert.equal(visibleText('abcdef', 4), 'abc…');
    assert.equal(visibleText('abcd', 4), 'abcd');
  });
});

/** What a terminal acts on, or hides. */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/;
const hostile = fc.stringMatching(/^[a"\\/\n\u001b\u0085\u009b\u200b\u202e\u2066\u2028\ufeff\u{e0041}é]*$/u);

describe('visibleLines', () => {
  it('keeps line breaks and tabs, and shows what a terminal would act on', () => {
    assert.equal(visibleLines('a\n\tb\r\n\u009b31mc\u202e'), 'a\n\tb\\r\n\\u{9b}31mc\\u{202e}');
    fc.assert(fc.property(hostile, (text) => !hidden.test(visibleLines(text))));
  });

  it('takes time in proportion to the text', () => {
    const text = '👩\u200d'.repeat(400_000);
    const began = performance.now();
    visibleLines(text);
    assert.ok(performance.now() - began < 5000);
  });
});

describe('visibleJson', () => {
  it('is the same JSON without anything that a terminal would act on', () => {
    fc.assert(
      fc.property(fc.dictionary(hostile, fc.oneof(hostile, fc.integer())), fc.boolean(), (value, pretty) => {
        const json = visibleJson(JSON.stringify(value, undefined, pretty ? 2 : 0));
        assert.deepEqual(JSON.parse(json), JSON.parse(JSON.stringify(value)));
        assert.ok(!hidden.test(json), json);
      }),
    );
  });
});

describe('shortenMiddle', () => {
  it('keeps the first 6 and the last 4 characters of what is longer than 12', () => {
    assert.equal(shortenMiddle('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'), 'EQCxE6…_sDs');
    assert.equal(shortenMiddle('123456789012'), '123456789012');
    assert.equal(shortenMiddle('1234567890123'), '123456…0123');
  });
});

describe('durations in milliseconds', () => {
  it('have one decimal below ten', () => {
    assert.deepEqual([0, 3.14, 9.96, 12.5, 10_000].map(milliseconds), [
      '0 ms',
      '3.1 ms',
      '10 ms',
      '13 ms',
      '10000 ms',
    ]);
  });
});
