import assert from 'node:assert/strict';
import { linesInDiff } from '../../../src/toolkit/testRuns/changedSourceLines';
import { mutationWords, survivorWords } from '../../../src/toolkit/testRuns/mutationAnswer';
import type { MutationAnswer } from '../../../src/toolkit/testRuns/mutationAnswer';
import { mutated, sourceMutants } from '../../../src/toolkit/testRuns/sourceMutants';

describe('mutants of a source', () => {
  const made = (source: string, language: 'tolk' | 'func' | 'tact' = 'tolk'): string[] =>
    sourceMutants(source, language).map((one) => mutated(source, one));

  it('changes comparisons, arithmetic, and constants, but no types and no parts of tuples', () => {
    assert.deepEqual(made('a <= 7 && t.0 > x'), [
      'a < 7 && t.0 > x',
      'a <= 8 && t.0 > x',
      'a <= 7 || t.0 > x',
      'a <= 7 && t.0 >= x',
    ]);
    assert.deepEqual(made('val m: map<int32, bool> = f(true)'), ['val m: map<int32, bool> = f(false)']);
    assert.deepEqual(made('x += 0x0f'), ['x -= 0x0f', 'x += 16']);
  });

  it('says the opposite of conditions, as the language does', () => {
    assert.deepEqual(made('if (a) { f(); }'), ['if (!(a)) { f(); }', 'if (a) {      }']);
    assert.deepEqual(made('if (a) { return b; }', 'func'), ['ifnot (a) { return b; }']);
  });

  it('leaves statements out, over several lines, and keeps the lines', () => {
    const source = 'fun f() {\n  assert (ok)\n    throw CODE;\n  val x = g(y);\n  keep(\n    x);\n}';
    assert.deepEqual(made(source), [
      'fun f() {\n             \n               \n  val x = g(y);\n  keep(\n    x);\n}',
      'fun f() {\n  assert (ok)\n    throw CODE;\n  val x = g(y);\n       \n       \n}',
    ]);
    assert.deepEqual(made('{ int x = y; }', 'func'), []);
  });

  it('leaves comments and texts alone, and knows its place', () => {
    assert.deepEqual(made('// a < b\n/* 1 + 2 */ f("1 < \\" 2")'), []);
    assert.deepEqual(made(';; 1 + 2\n{- 3 -} x', 'func'), []);
    const [one] = sourceMutants('// 1\n  a == b', 'tolk');
    assert.deepEqual([one?.line, one?.column, one?.words], [2, 5, '== becomes !=']);
  });

  it('knows the new lines of a diff', () => {
    const diff =
      '--- a/x.tolk\n+++ b/x.tolk\n@@ -3,0 +4,2 @@ fun\n+a\n+b\n@@ -9 +11 @@\n-c\n+d\n--- a/y\n+++ b/y\n@@ -1,2 +0,0 @@\n';
    const lines = linesInDiff(diff);
    assert.deepEqual(
      [...lines].map(([file, some]) => [file, [...some]]),
      [
        ['x.tolk', [4, 5, 11]],
        ['y', []],
      ],
    );
  });
});

describe('what mutants say of the tests', () => {
  const mutant = {
    verdict: 'survived',
    change: '< becomes <=',
    isUnseen: true,
  } as MutationAnswer['mutants'][number];
  const answer = (given: Partial<MutationAnswer>): MutationAnswer => ({
    ...{ score: 75, killed: 2, timedOut: 1, survived: 1, candidates: 9, none: 2, testRuns: 4, allRuns: 20 },
    ...{ stoppedBy: null, mutants: Array.from({ length: 4 }, () => mutant), ...given },
  });

  it('tells the score, what is marked, and what was not judged', () => {
    assert.equal(
      mutationWords(answer({ stoppedBy: 'time' }), 'desk.tolk'),
      'The tests notice 3 of 4 small faults in desk.tolk: a score of 75 %. The others are warnings at their lines. It ended at the bound of its time; up to 3 more are not judged.',
    );
    assert.equal(
      mutationWords(answer({ score: 100, killed: 3, survived: 0 }), 'desk.tolk'),
      'The tests notice 4 of 4 small faults in desk.tolk: a score of 100 %.',
    );
    assert.match(
      mutationWords(answer({ score: null, mutants: [] }), 'desk.tolk'),
      /^There is nothing to change/,
    );
  });

  it('says why a survivor was not noticed', () => {
    assert.equal(
      survivorWords(mutant),
      'No test notices this fault: < becomes <= (nothing that a test can see came out otherwise).',
    );
    assert.match(survivorWords({ ...mutant, isUnseen: false }), /it saw other results, and passed/);
  });
});
