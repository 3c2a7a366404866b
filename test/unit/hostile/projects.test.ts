import assert from 'node:assert/strict';
import fc from 'fast-check';
import { slotsOf, typeText } from '../../../src/toolkit/contracts/abi/abiType';
import type { ProjectContract } from '../../../src/toolkit/contracts/abi/projectContract';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';
import { readTactAbi } from '../../../src/toolkit/contracts/abi/readTactAbi';
import { readTolkAbi } from '../../../src/toolkit/contracts/abi/readTolkAbi';
import { readTolkSource } from '../../../src/toolkit/contracts/abi/readTolkSource';
import { tokenize } from '../../../src/toolkit/contracts/abi/tokenize';
import { plainSource } from '../../../src/toolkit/contracts/abi/readSourceConstants';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { readTactLayouts } from '../../../src/toolkit/contracts/layouts/readTactLayouts';
import { readTolkLayouts } from '../../../src/toolkit/contracts/layouts/readTolkLayouts';
import { limits } from '../../../src/toolkit/base/limits';
import { quickly } from '../../support/hostile';
import {
  explodingTactAbi,
  explodingTolkAbi,
  hostileProject,
  importingProject,
} from '../../support/hostileProject';

/** Reads files and gives the longest time of the processor between two pauses, in ms. */
async function longestSlice(
  files: { path: string; text: string }[],
  problems = new Map<string, unknown>(),
): Promise<{ ms: number; contracts: ProjectContract[]; file: string }> {
  let longest = { ms: 0, file: '' };
  let before = process.cpuUsage();
  let index = -1;
  const pause = (): Promise<void> => {
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1000;
    if (index >= 0 && ms > longest.ms) {
      longest = { ms, file: files[index]?.path ?? '' };
    }
    index++;
    before = process.cpuUsage();
    return Promise.resolve();
  };
  const contracts = await readProject(files, (path, error) => problems.set(path, error), pause);
  await pause();
  return { ...longest, contracts };
}

describe('hostile projects', () => {
  it('are read file by file, none for long', async () => {
    const problems = new Map<string, unknown>();
    const files = [...hostileProject(), ...hostileProject(130_000)];
    await longestSlice(files.slice(0, 3));
    // Each by itself: together they are over the limit of a project.
    for (const file of files) {
      const { ms } = await longestSlice([file], problems);
      assert.ok(ms < 1500, `${file.path}: ${Math.round(ms)} ms`);
    }
    for (const [path, error] of problems) {
      assert.ok(WorkbenchError.is(error) && error.code !== 'internal-error', `${path}: ${String(error)}`);
      assert.ok(!error.message.includes('call stack'), path);
    }
    assert.ok(WorkbenchError.is(problems.get('contracts/many.tolk'), 'over-limit'));
  });

  it('let other work run between the sources that one source imports', async () => {
    const dense = Array.from({ length: 24 }, (_, i) => ({
      path: `contracts/f${i}.tolk`,
      text: `const ERR_${i} = ${i + 100}\n${'(a'.repeat(30_000)}`,
    }));
    const imports = dense.map((_, i) => `import "f${i}"\n`).join('');
    const files = [{ path: 'contracts/all.tolk', text: `${imports}get fun a(): int {}` }, ...dense];
    const before = process.cpuUsage();
    const { ms, contracts } = await longestSlice(files);
    const { user, system } = process.cpuUsage(before);
    assert.equal(contracts[0]?.errors.size, 24);
    assert.ok(ms < (user + system) / 1000 / 3, `${Math.round(ms)} ms`);
  });

  it('are cut off at the size limit', async () => {
    const problems = new Map<string, unknown>();
    const files = Array.from({ length: 20 }, (_, i) => ({
      path: `build/a${i}.abi.json`,
      text: `{"abi_schema_version":"1","declarations":[],"get_methods":[],"unique_types":[]${' '.repeat(1_000_000)}}`,
    }));
    const { contracts } = await longestSlice(files, problems);
    assert.ok(contracts.length >= 14 && contracts.length < 20);
    assert.ok(WorkbenchError.is(problems.get('build/a19.abi.json'), 'over-limit'));
  });

  it('of 500 files that import one another are read up to the limit', async () => {
    const problems = new Map<string, unknown>();
    const { ms, contracts, file } = await longestSlice(importingProject(), problems);
    assert.ok(ms < 1500, `${file}: ${ms} ms`);
    assert.equal(contracts.length, 500);
    assert.ok(WorkbenchError.is(problems.get('contracts/f0.tolk'), 'over-limit'));
    const own = contracts[7]?.methods.find(({ name }) => name === 'f7');
    assert.equal(own === undefined ? '' : typeText(own.result), 'S_f7');
  });

  it('have types that expand too far reported as too large, and the others as they are', () => {
    for (const abi of [
      quickly(() => readTolkAbi(explodingTolkAbi())),
      quickly(() => readTactAbi(explodingTactAbi())),
    ]) {
      const [first] = abi.methods;
      const type = first?.parameters[0]?.type;
      assert.match(
        type === undefined ? '' : quickly(() => typeText(type)),
        /a type of more than 1,000 parts|S39/,
      );
      quickly(() => type !== undefined && slotsOf(type));
    }
    assert.deepEqual(readTolkAbi(explodingTolkAbi()).methods[1]?.result, { kind: 'int' });
    quickly(() => readTolkLayouts('a', explodingTolkAbi()));
    quickly(() => readTactLayouts('a', explodingTactAbi()));
  });

  it('have generic types resolved as before', () => {
    const [method] = readTolkSource(
      'struct Pair<A, B> { first: A; second: B }\nstruct Tree { value: int; next: Cell<Tree>? }\nget fun a(p: Pair<int8, Pair<bool, cell>>, t: Tree): Pair<Tree, int> {}',
    );
    const [pair, tree] = method?.parameters.map(({ type }) => type) ?? [];
    assert.equal(pair === undefined ? 0 : slotsOf(pair), 3);
    assert.equal(tree === undefined ? 0 : slotsOf(tree), 2);
    assert.equal(method === undefined ? 0 : slotsOf(method.result), 3);
  });

  it('are read in time proportional to the text, whatever its words', () => {
    const word = fc.constantFrom(
      ...'struct type enum get fun contract trait message with forall method_id asm const import { } ( ) [ ] < > , ; : = -> ? | @ " ` /* */ {- -} // ;; \n a int map Cell'.split(
        ' ',
      ),
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
        const text = `${words.join(' ')} `.repeat(4000);
        quickly(() => tokenize(text, 'func'));
        quickly(() => readTolkSource(text));
        quickly(() => plainSource(text));
      }),
      { numRuns: 40 },
    );
  });

  it('have nothing left of comments in sources', () => {
    assert.equal(plainSource('a /* b */ c // d\ne;;f\n{- g -} h'), 'a c\ne\nh');
    assert.equal(plainSource('a /* b'), 'a /* b');
  });

  it('are limited by what real projects need', () => {
    assert.ok(limits.projectFiles.most >= 500 && limits.projectFileBytes.most >= 1_000_000);
  });
});
