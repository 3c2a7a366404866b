import assert from 'node:assert/strict';
import { importsSandbox, namePattern, parseTestFile } from '../../../src/toolkit/testRuns/parseTestFile';
import type { WrittenTest } from '../../../src/toolkit/testRuns/parseTestFile';

const source = String.raw`import { Blockchain } from '@ton/sandbox';
// describe('in a comment', () => it('is none', () => {}));
const pattern = /it\('is none'[/)]/g, half = 4 / 2 / 1;
/* it('neither') */
describe('Till', () => {
  beforeEach(async () => { till.it('is a method', () => {}); });
  it("pays 'once'", async () => { expect({ a: [1, (2)] }).toEqual(')'); });
  it.only(${'`'}pays \`twice\` ${'${'}round(${'`'}${'${'}1 + 1}${'`'})} times${'`'}, async () => {
    const note = ${'`'}it('is text')${'`'};
  });
  describe.skip('of a shop', function () {
    for (const seats of [1, 2]) {
      it('sells ' + seats + ' (each)', async () => {});
    }
    test.each([[1, 2], [3, (4)]])('adds %i to $b', async (a, b) => {});
    test.each${'`'}a | b${'`'}('$a from a table', () => {});
  });
  it(nameOf(this, 'a'), () => {});
});
it('stands alone \u{1f4b0}', () => {});
`;

const outline = (tests: readonly WrittenTest[], indent = ''): string[] =>
  tests.flatMap(({ kind, name, line, end, children }) => [
    `${indent}${kind === 'suite' ? '+' : '-'} ${name} ${line}-${end}`,
    ...outline(children, `${indent}  `),
  ]);

describe('the light parse of test files', () => {
  const tests = parseTestFile(source);

  it('finds suites and tests with their lines, and nothing in comments, texts, and patterns', () => {
    assert.deepEqual(outline(tests), [
      '+ Till 5-19',
      "  - pays 'once' 7-7",
      '  - pays `twice` … times 8-10',
      '  + of a shop 11-17',
      '    - sells … (each) 13-13',
      '    - adds %i to $b 15-15',
      '    - $a from a table 16-16',
      '  - … 18-18',
      '- stands alone 💰 20-20',
    ]);
  });

  it('knows which full names a test has, computed ones, too, and those of a suite', () => {
    const [till] = tests;
    const [once, twice, shop, any] = till!.children;
    const fits = (path: readonly WrittenTest[], name: string): boolean =>
      new RegExp(namePattern(path)).test(name);
    assert.ok(fits([till!, once!], "Till pays 'once'"));
    assert.ok(!fits([till!, once!], "Till pays 'once' more"));
    assert.ok(fits([till!, twice!], 'Till pays `twice` 12 times'));
    const [sells, adds, table] = shop!.children;
    assert.ok(fits([till!, shop!, sells!], 'Till of a shop sells 2 (each)'));
    assert.ok(!fits([till!, shop!, sells!], 'Till of a shop sells 2 each'));
    assert.ok(fits([till!, shop!, adds!], 'Till of a shop adds 1 to 2'));
    assert.ok(fits([till!, shop!, table!], 'Till of a shop 3 from a table'));
    assert.ok(fits([till!, shop!], 'Till of a shop sells 2 (each)'));
    assert.ok(!fits([till!, shop!], 'Till of a shopkeeper'));
    assert.ok(fits([till!, any!], 'Till what it computes'));
  });

  it('lists a thousand tests in well under 300 ms of processor time', () => {
    const many = Array.from(
      { length: 1_000 },
      (_, number) =>
        `  it('does number ${number}', async () => { await send(${number}, { value: toNano('1') }); });`,
    );
    const text = `import '@ton/sandbox';\ndescribe('all', () => {\n${many.join('\n')}\n});\n`;
    const { user, system } = process.cpuUsage();
    const [all] = parseTestFile(text);
    const used = process.cpuUsage({ user, system });
    assert.equal(all?.children.length, 1_000);
    assert.ok(used.user + used.system < 300_000, `${used.user + used.system} µs`);
  });

  it('tells files that use the sandbox from others', () => {
    assert.ok(importsSandbox(`const { Blockchain } = require("@ton/sandbox");`));
    assert.ok(importsSandbox(`import { Blockchain } from 'ton-workbench/sandbox';`));
    assert.ok(!importsSandbox(`import { sandbox } from './sandbox';`));
  });

  it('reads a file that ends in the middle', () => {
    for (const text of ["it('", 'it(`${', 'describe("a", () => { it("b", /[', 'it.each([1', '/*', 'it(']) {
      assert.ok(Array.isArray(parseTestFile(text)));
    }
  });
});
