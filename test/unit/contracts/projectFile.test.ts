import assert from 'node:assert/strict';
import path from 'node:path';
import {
  isExcludedFolder,
  isProjectFile,
  projectFiles,
} from '../../../src/toolkit/contracts/abi/projectFile';

describe('abi: the files of a project', () => {
  const files: [file: string, taken: boolean][] = [
    ['counter.tolk', true],
    ['contracts/deep/er/minter.fc', true],
    ['contracts/stdlib.func', true],
    ['sources/a.tact', true],
    ['build/Counter.compiled.json', true],
    ['build/abi/Counter.abi.json', true],
    ['build/abi.json', true],
    ['app/build/abi/Counter.json', true],
    ['build/Counter.json', true],
    ['build/traces/Counter.json', false],
    ['sources/Counter.source.json', true],
    ['compilables/Counter.compile.ts', true],
    ['output/a_A.abi', true],
    ['output/a_A.pkg', true],
    ['wrappers/Counter.ts', true],
    ['packages/a/wrappers/more/Counter.ts', true],
    ['tests/Counter.ts', false],
    ['package.json', false],
    ['mywrappers/Counter.ts', false],
    ['readme.md', false],
  ];
  for (const [file, taken] of files) {
    it(`${taken ? 'include' : 'exclude'} ${file}, both by pattern and by function`, () => {
      assert.equal(isProjectFile(file), taken);
      assert.equal(path.matchesGlob(file, projectFiles.pattern), taken);
    });
  }

  it('exclude what others wrote', () => {
    for (const folder of ['node_modules', '.git', '.yarn', '.acton']) {
      assert.ok(isExcludedFolder(folder) && path.matchesGlob(`a/${folder}/b.tolk`, projectFiles.excluded));
    }
    assert.ok(!isExcludedFolder('contracts'));
  });

  it('have a pattern without nested braces, with which the editor finds nothing', () => {
    assert.doesNotMatch(projectFiles.pattern, /\{[^}]*\{/);
  });
});
