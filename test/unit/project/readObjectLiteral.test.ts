import assert from 'node:assert/strict';
import { notRead, readObjectLiteral } from '../../../src/toolkit/project/readCompileFile';
import type { Literal } from '../../../src/toolkit/project/readCompileFile';

describe('a constant that is written out in TypeScript', () => {
  const read = (value: string, before = ''): Literal | undefined =>
    readObjectLiteral(`${before}\nexport const it: Some<{ a: string }> = ${value}`, 'it', {
      folder: '/p/wrappers',
      root: '/p',
    });

  it('is read with all that is written out in it', () => {
    assert.deepEqual(
      read(`{ a: 'x', "b": [1, -2.5, true], c: { d: \`e\` }, /* no */ } satisfies Some;\nrun();`),
      {
        a: 'x',
        b: [1, -2.5, true],
        c: { d: 'e' },
      },
    );
    assert.equal(read(`'it\\'s'\nexport const other = 1`), "it's");
  });

  it('may name other constants of the file, and folders', () => {
    const before = "const base = 'src';\nconst options = { debug: true } as const;";
    assert.deepEqual(read('{ options, files: [base] }', before), {
      options: { debug: true },
      files: ['src'],
    });
    assert.deepEqual(read("[path.join(__dirname, '..', 'a.fc'), resolve(process.cwd(), 'b.fc')]"), [
      '/p/a.fc',
      '/p/b.fc',
    ]);
  });

  it('has marks where only running it would tell', () => {
    for (const value of [
      "'a' + b",
      'a ? 1 : 2',
      'make({ a: 1 })',
      'process.env.LEVEL',
      'async () => { return [1, 2]; }',
      '`${a}.fc`',
      "names['a']",
      'a as',
    ]) {
      assert.deepEqual(
        read(`{ x: ${value}, y: 1 }`, "const b = 'c';\nconst names = {};"),
        { x: notRead, y: 1 },
        value,
      );
    }
    assert.deepEqual(read('{ run() { return 1; }, async hook() {}, ...rest, z: 2 }'), {
      ...{ run: notRead, hook: notRead, z: 2 },
      '...': notRead,
    });
    assert.equal(readObjectLiteral('export const other = 1;', 'it', { folder: '/', root: '/' }), undefined);
  });

  it('is read in bounded time, whatever its names refer to', () => {
    assert.deepEqual(read('{ x: it }'), { x: nestedOnce(20) });
    const names = Array.from({ length: 60 }, (_, n) => `const n${n} = [n${n + 1}, n${n + 1}, n${n + 1}];`);
    assert.ok(Array.isArray(read('[n0]', names.join('\n'))));
    assert.ok(read('['.repeat(100_000)) !== undefined);
    assert.ok(read('{ a: '.repeat(100_000)) !== undefined);
  });
});

/** What an object becomes that holds itself. */
function nestedOnce(depth: number): Literal {
  let value: Literal = notRead;
  for (let level = 2; level <= depth; level += 2) {
    value = { x: value };
  }
  return value;
}
