import assert from 'node:assert/strict';
import { compiledContract } from '../../../src/toolkit/build/compiledCode';
import { textHash } from '../../../src/toolkit/build/textHashes';

describe('a source that has changed since it was compiled', () => {
  const sources = {
    'a.tolk': ['fun f(): int {\n  return 7; // seven\n}\nconst URL = "https://a/b";', 'int', 'slice'],
    'a.fc': [';; seven\nint f() method_id { return 7; }\n{- more -}\nconst u = "a//b";', '7', '8'],
    'a.tact': ['contract A { get fun f(): Int { return 7; } /* seven */ }', '7', '8'],
  } as const;

  for (const [path, [text, from, to]] of Object.entries(sources)) {
    it(`is not one with another comment or blank line: ${path}`, () => {
      const hasChanged = (now: string): boolean => {
        const code = { codeHash: 'ab', name: 'a', file: path, texts: { [path]: textHash(text, path) } };
        return compiledContract(code, new Map([[path, textHash(now, path)]])).hasChanged === true;
      };
      const mark = path === 'a.fc' ? ';;' : '//';
      const same = [`\n\n${text}\n`, `${mark} a new comment\n${text}`, text.replace('seven', 'as before')];
      assert.deepEqual(same.map(hasChanged), [false, false, false]);
      const other = [text.replace(from, to), text.replace('//a', '//b').replace('a//b', 'a//c'), `${text} 1`];
      const differs = other.filter((one) => one !== text);
      assert.deepEqual(
        differs.map(hasChanged),
        differs.map(() => true),
      );
    });
  }

  it('is one with any other byte if it is not a source', () => {
    assert.notEqual(textHash('a ', 'a.json'), textHash('a', 'a.json'));
  });
});
