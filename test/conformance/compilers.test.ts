import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compileSource } from '../../src/toolkit/build/compileSource';
import type { BuiltContract } from '../../src/toolkit/build/readBuiltContract';
import { WorkbenchError } from '../../src/toolkit/errors';
import { BlueprintProject } from './support/blueprintProject';

/** Blueprint's templates of a counter, by the file that it creates. */
const counters = [
  ['FuncCounter', 'func-counter', 'contracts/func_counter.fc'],
  ['TolkCounter', 'tolk-counter', 'contracts/tolk_counter.tolk'],
  ['TactCounter', 'tact-counter', 'contracts/tact_counter.tact'],
] as const;

describe("sources compiled by the project's own compilers", function () {
  this.timeout(240_000);
  let project: BlueprintProject;
  const read = (file: string): string => readFileSync(file, 'utf8');
  const fileOf = (name: string): string => path.join(project.folder, name).replaceAll('\\', '/');
  const compile = (file: string): Promise<BuiltContract[]> =>
    compileSource(fileOf(file), { read, isTrusted: true });

  before(async () => {
    project = await BlueprintProject.create();
    for (const [name, type] of counters) {
      await project.run(['create', name, '--type', type]);
    }
    await project.run(['build', '--all']);
  });
  after(() => project?.remove());

  for (const [name, , file] of counters) {
    it(`result in the same code as Blueprint's build: ${name}`, async () => {
      const build = JSON.parse(read(fileOf(`build/${name}.compiled.json`))) as { hash: string };
      const [built, ...others] = await compile(file);
      assert.equal(built?.codeHash, build.hash);
      assert.equal(others.length, 0);
      assert.ok(fileOf(file) in (built.texts ?? {}));
    });
  }

  it('use the Tact options in tact.config.json', async () => {
    const config = fileOf('tact.config.json');
    const text = await readFile(config, 'utf8');
    const changed = JSON.parse(text) as { projects: { options?: object }[] };
    changed.projects.forEach((one) => (one.options = { ...one.options, interfacesGetter: true }));
    const [before] = await compile('contracts/tact_counter.tact');
    await writeFile(config, JSON.stringify(changed));
    await project.run(['build', 'TactCounter']);
    const [after] = await compile('contracts/tact_counter.tact');
    await writeFile(config, text);
    const build = JSON.parse(read(fileOf('build/TactCounter.compiled.json'))) as { hash: string };
    assert.equal(after?.codeHash, build.hash);
    assert.notEqual(after.codeHash, before?.codeHash);
  });

  it('list the contracts in a Tact source, with their initial data, and show where it is wrong', async () => {
    const source = fileOf('contracts/two.tact');
    await writeFile(
      fileOf('contracts/part.tact'),
      'struct Pair { left: Int as uint8; right: Int as uint8; }\n',
    );
    const text = `import "./part";
contract First(owner: Address) {
  receive() { }
}
contract Second {
  pair: Pair = Pair{ left: 1, right: 2 };
  receive() { }
}
`;
    await writeFile(source, text);
    const built = await compile('contracts/two.tact');
    assert.deepEqual(built.map(({ name }) => name).sort(), ['First', 'Second']);
    assert.equal(built.find(({ name }) => name === 'First')?.initial?.parameters, 'owner: address');
    assert.deepEqual(
      Object.keys(built[0]?.texts ?? {})
        .map((file) => path.posix.basename(file))
        .sort(),
      ['part.tact', 'two.tact'],
    );
    await writeFile(source, text.replace('right: 2', 'right: nothing'));
    await assert.rejects(compile('contracts/two.tact'), (error) => {
      assert.ok(WorkbenchError.is(error, 'compile-failed'));
      const [problem] = error.details['problems'] as { path: string; line: number; message: string }[];
      assert.deepEqual([problem?.path, problem?.line], [source, 6]);
      assert.match(problem?.message ?? '', /nothing/);
      return true;
    });
  });
});
