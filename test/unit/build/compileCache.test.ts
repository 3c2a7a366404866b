import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../../scripts/lib/root.mjs';
import type { CompileInputs } from '../../../src/toolkit/build/compileInputs';
import { areCurrent, withInputs } from '../../../src/toolkit/build/compileInputs';
import type { CompileRequest } from '../../../src/toolkit/build/compileRequest';
import { projectCompiler } from '../../../src/toolkit/build/projectCompiler';
import type { BuiltContract } from '../../../src/toolkit/build/readBuiltContract';
import { CompileCache, SourceCompiler } from '../../../src/toolkit/build/sourceCompiler';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import type { SourceMap } from '../../../src/toolkit/sourceMap/sourceMap';
import { systemClock } from '../../../src/toolkit/base/time';

const entry = `import "numbers"
fun onInternalMessage(in: InMessage) {}
get fun total(): int { return seven(); }
`;
const numbers = (value: number): string => `fun seven(): int { return ${value}; }\n`;

describe('compiled sources that are kept for later commands', () => {
  let folder: string;
  let cache: string;
  let file: string;
  let imported: string;
  /** How often a compiler ran. */
  let runs: number;

  const clock = {
    ...systemClock,
    after: (ms: number, work: () => void, keepAlive?: boolean): (() => void) => {
      runs += 1;
      return systemClock.after(ms, work, keepAlive);
    },
  };
  /** As a process of its own. */
  const inProcess = async <Result>(work: (compiler: SourceCompiler) => Promise<Result>): Promise<Result> => {
    const compiler = new SourceCompiler({ cache, clock });
    try {
      return await work(compiler);
    } finally {
      await compiler.close();
    }
  };
  const compile = (request: CompileRequest = { isTrusted: true }, source = file): Promise<BuiltContract[]> =>
    inProcess((compiler) => compiler.compile(source, request));
  const map = (): Promise<SourceMap[]> => inProcess((compiler) => compiler.map(file, { isTrusted: true }));

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(tmpdir(), 'tonwb-compile-cache-')).replaceAll('\\', '/');
    cache = `${folder}/cache`;
    file = `${folder}/total.tolk`;
    imported = `${folder}/numbers.tolk`;
    fs.writeFileSync(file, entry);
    fs.writeFileSync(imported, numbers(7));
    runs = 0;
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('are found by the next process, and are the same', async () => {
    const compiled = await compile();
    assert.equal(runs, 1);
    assert.deepEqual(await compile(), compiled);
    // Without the project's compilers, because it has none.
    assert.deepEqual(await compile({ isTrusted: false }), compiled);
    assert.equal(runs, 1);
    const mapped = await map();
    assert.ok((mapped[0]?.places.length ?? 0) > 0);
    assert.equal(runs, 2);
    assert.deepEqual(await map(), mapped);
    assert.equal(runs, 2);
  });

  it('are compiled again when the entry file or an import has changed, on disk or in an editor', async () => {
    const [seven] = await compile();
    fs.writeFileSync(imported, numbers(8));
    const [eight] = await compile();
    assert.notEqual(eight?.codeHash, seven?.codeHash);
    assert.equal(runs, 2);
    const unsaved = { [imported]: numbers(7) };
    assert.equal((await compile({ isTrusted: true, unsaved }))[0]?.codeHash, seven?.codeHash);
    assert.equal(runs, 3);
    fs.writeFileSync(file, entry.replace('seven()', 'seven() + 1'));
    assert.notEqual((await compile())[0]?.codeHash, eight?.codeHash);
    assert.equal(runs, 4);
    // A comment changes the lines, and so does a line that moves.
    const [before] = await map();
    fs.writeFileSync(imported, `// one more line\n${numbers(8)}`);
    const [after] = await map();
    assert.equal(after?.codeHash, before?.codeHash);
    assert.notDeepEqual(after, before);
    fs.rmSync(imported);
    await assert.rejects(compile(), (error) => WorkbenchError.is(error, 'compile-failed'));
  });

  it('are not what does not compile', async () => {
    fs.writeFileSync(imported, 'fun seven(): int { return; }\n');
    for (const count of [1, 2]) {
      await assert.rejects(compile(), (error) => WorkbenchError.is(error, 'compile-failed'));
      assert.equal(runs, count);
    }
    assert.ok(!fs.existsSync(cache));
  });

  it('are compiled again by another compiler, be it of the project or ours', async () => {
    const [ours] = await compile();
    const own = `${folder}/node_modules/@ton/tolk-js`;
    fs.mkdirSync(own, { recursive: true });
    const tolk = JSON.stringify(path.join(root, 'node_modules/@ton/tolk-js'));
    fs.writeFileSync(
      `${own}/index.js`,
      `const { runTolkCompiler } = require(${tolk});
      module.exports = { runTolkCompiler: (given) => runTolkCompiler({ ...given, fsReadCallback: (path) =>
        given.fsReadCallback(path).replace('return 7', 'return 9') }) };`,
    );
    const [theirs] = await compile();
    assert.equal(runs, 2);
    assert.notEqual(theirs?.codeHash, ours?.codeHash);
    assert.equal((await compile({ isTrusted: false }))[0]?.codeHash, ours?.codeHash);
    assert.equal(runs, 2);

    const program = (name: string, content: string): URL => {
      fs.writeFileSync(`${folder}/${name}`, content);
      return new URL(`file:///${folder.replace(/^\//, '')}/${name}`);
    };
    const kept = { result: 'result', inputs: { texts: new Map(), compiler: undefined, modules: new Map() } };
    const request = { isTrusted: false };
    const [old, renewed] = [program('old.js', 'one'), program('renewed.js', 'another')];
    new CompileCache(cache, old).at<string>('compile', file, request)?.keep(kept);
    const found = (url: URL): string | undefined =>
      new CompileCache(cache, url).at<string>('compile', file, request)?.find()?.result;
    assert.equal(found(old), 'result');
    assert.equal(found(renewed), undefined);
  });

  it("of the project's own compiler are found, too", async () => {
    const source = `${folder}/counter.fc`;
    fs.writeFileSync(
      source,
      '() recv_internal(int balance, int value, cell message, slice body) impure { }\nint one() method_id { return 1; }\n',
    );
    fs.mkdirSync(`${folder}/node_modules`);
    fs.symlinkSync(
      path.join(root, 'node_modules/@ton-community'),
      `${folder}/node_modules/@ton-community`,
      'junction',
    );
    const compiled = await compile({ isTrusted: true }, source);
    assert.deepEqual(await compile({ isTrusted: true }, source), compiled);
    assert.equal(runs, 1);
    // What was compiled by a trusted project is no answer for another.
    await assert.rejects(compile({ isTrusted: false }, source), (error) =>
      WorkbenchError.is(error, 'compiler-missing'),
    );
  });

  it('are compiled again where an entry is torn, or the folder cannot be used', async () => {
    const compiled = await compile();
    const [name] = fs.readdirSync(cache);
    const kept = `${cache}/${name}`;
    const whole = fs.readFileSync(kept);
    fs.writeFileSync(kept, whole.subarray(0, whole.length - 1));
    assert.deepEqual(await compile(), compiled);
    assert.equal(runs, 2);
    assert.deepEqual(fs.readFileSync(kept).length, whole.length);
    cache = `${file}/cache`;
    assert.deepEqual(await compile(), compiled);
    assert.deepEqual(await compile(), compiled);
    assert.equal(runs, 4);
  });
});

describe('what a compilation has read', () => {
  let folder: string;
  const read = (name: string): string => fs.readFileSync(name, 'utf8');
  const inputsOf = async (
    work: (given: (name: string) => string) => unknown,
    since = Date.now() + 60_000,
  ): Promise<CompileInputs | undefined> => {
    const options = { read, isTrusted: true };
    return (
      await withInputs(`${folder}/a.tolk`, options, since, (given) => Promise.resolve(work(given.read)))
    ).inputs;
  };

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(tmpdir(), 'tonwb-inputs-')).replaceAll('\\', '/');
    fs.writeFileSync(`${folder}/a.tolk`, 'one');
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('includes what was looked for and not there', async () => {
    const inputs = await inputsOf((given) => {
      given(`${folder}/a.tolk`);
      assert.throws(() => given(`${folder}/b.tolk`));
    });
    assert.ok(inputs !== undefined);
    assert.ok(areCurrent(inputs, { read }));
    fs.writeFileSync(`${folder}/b.tolk`, '');
    assert.ok(!areCurrent(inputs, { read }));
  });

  it('is not known if a file changed meanwhile', async () => {
    const inputs = await inputsOf((given) => {
      given(`${folder}/a.tolk`);
      fs.writeFileSync(`${folder}/a.tolk`, 'another');
      given(`${folder}/a.tolk`);
    });
    assert.equal(inputs, undefined);
  });

  it("includes every file of the project's compiler, unless one may have changed since it was loaded", async () => {
    const own = `${folder}/node_modules/@ton/tolk-js`;
    fs.mkdirSync(own, { recursive: true });
    fs.writeFileSync(`${own}/index.js`, 'require("./part.js");');
    fs.writeFileSync(`${own}/part.js`, '');
    const load = (): unknown => projectCompiler(`${folder}/a.tolk`, '@ton/tolk-js');
    const inputs = await inputsOf(load);
    assert.deepEqual(
      [...(inputs?.modules.keys() ?? [])].map((one) => path.basename(one)),
      ['index.js', 'part.js'],
    );
    assert.ok(areCurrent(inputs!, { read }));
    assert.equal(await inputsOf(load, Date.now()), undefined);
    fs.writeFileSync(`${own}/part.js`, '// changed');
    assert.ok(!areCurrent(inputs!, { read }));
  });
});
