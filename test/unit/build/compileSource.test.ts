import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Cell } from '@ton/core';
import { root } from '../../../scripts/lib/root.mjs';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';
import { listFolder } from '../../../src/toolkit/build/compileRequest';
import { compileSource } from '../../../src/toolkit/build/compileSource';
import { findSource } from '../../../src/toolkit/build/findSource';
import { oneContract } from '../../../src/toolkit/build/oneContract';
import { mapSource } from '../../../src/toolkit/build/mapSource';
import { hasCompiler } from '../../../src/toolkit/build/projectCompiler';
import type { BuiltContract } from '../../../src/toolkit/build/readBuiltContract';
import { SourceCompiler } from '../../../src/toolkit/build/sourceCompiler';
import { WorkbenchError } from '../../../src/toolkit/base/errors';

const counter = `#include "lib/seven.fc";
() recv_internal(int balance, int value, cell message, slice body) impure { }
int counter() method_id { return seven(); }
`;

describe("sources compiled by the project's own compiler", () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tonwb-compilers-')).replaceAll('\\', '/');
  const file = `${folder}/contracts/counter.fc`;
  const library = `${folder}/contracts/lib/seven.fc`;
  const read = (name: string): string => readFileSync(name, 'utf8');
  const compile = (name: string, isTrusted = true): Promise<BuiltContract[]> =>
    compileSource(name, { read, isTrusted });

  before(() => {
    mkdirSync(path.dirname(library), { recursive: true });
    writeFileSync(file, counter);
    writeFileSync(library, 'int seven() { return 7; }\n');
    writeFileSync(`${folder}/contracts/vault.tact`, 'contract Vault { }');
    mkdirSync(`${folder}/node_modules`);
    // As in a project of Blueprint. The compiler comes with a package of the tests.
    symlinkSync(
      path.join(root, 'node_modules/@ton-community'),
      `${folder}/node_modules/@ton-community`,
      'junction',
    );
  });
  after(() => rmSync(folder, { recursive: true }));

  it('may be FunC, including its imports, in their current state', async () => {
    assert.ok(hasCompiler(file, true));
    const [built] = await compile(file);
    assert.equal(built?.name, 'Counter');
    assert.deepEqual(Object.keys(built.texts ?? {}).sort(), [file, library].sort());
    const compiler = new SourceCompiler();
    const unsaved = { [library]: 'int seven() { return 8; }\n' };
    const [inThread] = await compiler.compile(file, { isTrusted: true });
    const [other] = await compiler.compile(file, { isTrusted: true, unsaved });
    await compiler.close();
    assert.equal(inThread?.codeHash, built.codeHash);
    assert.notEqual(other?.codeHash, built.codeHash);
  });

  it('have compiler errors with their positions', async () => {
    const problemOf = async (text: string): Promise<unknown> => {
      const broken = (name: string): string => (name === library ? text : read(name));
      const error = await compileSource(file, { read: broken, isTrusted: true }).then(
        () => assert.fail(),
        (e: unknown) => e,
      );
      assert.ok(WorkbenchError.is(error, 'compile-failed'), String(error));
      return [error.message, error.details['problems']];
    };
    const place = { path: library, line: 1 };
    const { version } = JSON.parse(
      readFileSync(path.join(root, 'node_modules/@ton-community/func-js/package.json'), 'utf8'),
    ) as { version: string };
    const by = `(the project's @ton-community/func-js ${version})`;
    assert.deepEqual(await problemOf('int seven() { return eight(); }'), [
      `seven.fc does not compile: line 1, function \`eight\` undefined ${by}.`,
      [{ ...place, column: 22, length: 5, message: 'function `eight` undefined' }],
    ]);
    assert.deepEqual(await problemOf('int seven( { }'), [
      `seven.fc does not compile: line 1, \`(\` expected instead of \`{\` ${by}.`,
      [{ ...place, column: 12, length: 1, message: '`(` expected instead of `{`' }],
    ]);
  });

  it('are matched with deployed code', async () => {
    const [built] = await compile(file);
    assert.ok(built);
    const paths = [file, library];
    const project = await readProject(paths.map((one) => ({ path: one, text: read(one) })));
    const deployed = { codeHash: built.codeHash, code: Cell.fromBase64(built.code) };
    const found = await findSource(deployed, project, (source) => compile(source.file).catch(() => []));
    assert.equal(found?.file, file);
    assert.equal(found.origin, 'FunC source');
  });

  it('are told what package.json asks for where it is not installed, also for another Tolk', async () => {
    const other = mkdtempSync(path.join(tmpdir(), 'tonwb-asked-'));
    try {
      writeFileSync(
        path.join(other, 'package.json'),
        JSON.stringify({
          devDependencies: { '@tact-lang/compiler': '^1.6.13' },
          overrides: { '@ton/tolk-js': '1.0.0' },
        }),
      );
      writeFileSync(path.join(other, 'box.tact'), 'contract Box { receive() {} }');
      writeFileSync(path.join(other, 'old.tolk'), 'fun onInternalMessage(redef x) {}');
      const told = async (name: string): Promise<string> => {
        const source = path.join(other, name).replaceAll('\\', '/');
        const read = (one: string): string => readFileSync(one, 'utf8');
        const error = await compileSource(source, { read, isTrusted: true }).catch(
          (thrown: unknown) => thrown,
        );
        assert.ok(WorkbenchError.is(error), String(error));
        return `${error.message} ${error.hint}`;
      };
      assert.match(
        await told('box.tact'),
        /@tact-lang\/compiler \^1\.6\.13, which package\.json asks for and which is not installed\. Run "npm install" in/,
      );
      assert.match(
        await told('old.tolk'),
        /package\.json asks for @ton\/tolk-js 1\.0\.0, which is not installed\. Run "npm install"\./,
      );
    } finally {
      rmSync(other, { recursive: true });
    }
  });

  it('are not compiled if the project has no compiler or is not trusted', async () => {
    const refusal = async (name: string, isTrusted: boolean): Promise<string> => {
      const error = await compile(name, isTrusted).then(
        () => assert.fail(),
        (e: unknown) => e,
      );
      assert.ok(WorkbenchError.is(error, 'compiler-missing'), String(error));
      return error.message;
    };
    assert.ok(!hasCompiler(file, false));
    assert.match(await refusal(file, false), /not run in a workspace that is not trusted/);
    assert.match(await refusal(`${folder}/contracts/vault.tact`, true), /its project does not have/);
    assert.ok(!hasCompiler(`${folder}/contracts/vault.tact`, true));
  });

  it("use the project's Tolk compiler, if it has one", async () => {
    const own = `${folder}/node_modules/@ton/tolk-js`;
    mkdirSync(own, { recursive: true });
    writeFileSync(`${own}/package.json`, '{"name":"@ton/tolk-js","version":"0.6.0","main":"index.js"}');
    writeFileSync(
      `${own}/index.js`,
      'exports.runTolkCompiler = async ({ entrypointFileName: path }) => ({ status: "error", message: `${path}:3:4: error: too old` });',
    );
    const tolk = `${folder}/contracts/own.tolk`;
    writeFileSync(tolk, 'fun onInternalMessage(in: InMessage) {}');
    const tooOld = /own\.tolk does not compile: line 3, too old \(the project's @ton\/tolk-js 0\.6\.0\)\./;
    await assert.rejects(compile(tolk), tooOld);
    await assert.rejects(
      mapSource(tolk, { read, isTrusted: true }),
      tooOld,
      'lines are asked of the same compiler',
    );
    assert.equal((await compile(tolk, false))[0]?.name, 'Own');
    writeFileSync(`${own}/index.js`, 'throw new Error("made for another Node.js")');
    const other = `${folder}/contracts/other.tolk`;
    // What was loaded once stays loaded in this process.
    const thread = new SourceCompiler();
    writeFileSync(other, 'fun onInternalMessage(in: InMessage) {}');
    await assert.rejects(thread.compile(other, { isTrusted: true }), (error) => {
      assert.ok(WorkbenchError.is(error, 'compiler-unusable'));
      assert.match(error.message, /cannot be loaded: Error: made for another Node\.js/);
      return true;
    });
    await thread.close();
  });

  describe('as the project builds them', () => {
    const place = `${folder}/combined`;
    const at = (name: string): string => `${place}/${name}`;
    const write = (files: Readonly<Record<string, string>>): void => {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(path.dirname(at(name)), { recursive: true });
        writeFileSync(at(name), text);
      }
    };
    const files = {
      'package.json': '{}',
      'lib/stdlib.fc': 'const ten = 10;\nint plus(int x, int y) asm "ADD";\n',
      'src/sums.fc': 'int more(int x) inline { return plus(x, ten); }\n',
      'src/adder.fc':
        '() recv_internal(slice body) impure { }\nint sum(int x) method_id { int y = more(x); return plus(y, 1); }\n',
    };
    const compiled = (name: string): Promise<BuiltContract[]> =>
      compileSource(at(name), { read, list: listFolder, isTrusted: true });
    const refusal = (name: string): Promise<WorkbenchError> =>
      compiled(name).then(
        () => assert.fail(),
        (error: unknown) => {
          assert.ok(WorkbenchError.is(error, 'compile-failed'), String(error));
          return error;
        },
      );
    beforeEach(() => write(files));
    afterEach(() => rmSync(place, { recursive: true }));

    it('say that a template is not what the project builds, and which file of a build is not there', async () => {
      write({
        'src/gate.fc': '() recv_internal(slice body) impure { throw(<%= code %>); }\n',
        'wrappers/Gate.compile.ts': "export const compile = { lang: 'func', targets: ['made/gate.fc'] };",
        'wrappers/Adder.compile.ts':
          "export const compile = { lang: 'func', targets: ['made/codes.fc', 'src/adder.fc'] };",
      });
      assert.equal(
        (await refusal('src/gate.fc')).message,
        'Gate is not built from src/gate.fc, but from made/gate.fc, which is not there.',
      );
      assert.match(
        (await refusal('src/adder.fc')).message,
        /^adder\.fc is built with codes\.fc, which is not there/,
      );
    });

    it('are combined as a script of the project says, in the shell or as a list of names', async () => {
      write({
        'build.sh': '#!/bin/sh\nfunc -o adder.fif -SPA lib/stdlib.fc src/sums.fc \\\n  src/adder.fc\n',
      });
      const [built] = await compiled('src/adder.fc');
      assert.match(built?.compiledBy ?? '', /, combined as in build\.sh$/);
      assert.deepEqual(built?.notes, []);
      write({
        'build.sh': 'echo func\n',
        'make/adder.source.ts':
          "export const source = combineFunc(__dirname, [\n  '../lib/stdlib.fc', // first\n  '../src/sums.fc',\n  '../src/adder.fc',\n]);\n",
      });
      const [again] = await compiled('src/adder.fc');
      assert.equal(again?.codeHash, built?.codeHash);
      assert.match(again?.compiledBy ?? '', /, combined as in make\/adder\.source\.ts$/);
      write({
        'build.sh':
          'func lib/stdlib.fc lib/none.fc src/adder.fc\nfunc lib/stdlib.fc src/typo.fc src/sums.fc src/adder.fc\n',
        'src/typo.fc': 'const eleven = 11;\n',
      });
      const [both] = await compiled('src/adder.fc');
      assert.deepEqual(both?.notes, [
        'adder.fc is also combined with other files, in make/adder.source.ts; here it is built as in build.sh.',
      ]);
      rmSync(at('build.sh'));
      rmSync(at('make/adder.source.ts'));
      rmSync(at('src/typo.fc'));
    });

    it('say which file a FunC contract lacks that includes others, and nothing of that if it fails otherwise', async () => {
      write({
        'src/half.fc':
          '#include "sums.fc";\n() recv_internal(slice body) impure { }\nint sum(int x) method_id { return more(x); }\n',
        'src/typo.fc':
          '#include "../lib/stdlib.fc";\n() recv_internal(slice body) impure { int more = 1; return plus(more); }\n',
      });
      const error = await refusal('src/half.fc');
      assert.equal(
        error.message,
        'half.fc does not compile alone: it does not include, but uses, what stdlib.fc declares.',
      );
      assert.match(error.hint ?? '', /targets: \['lib\/stdlib\.fc', 'src\/half\.fc'\]/);
      assert.match((await refusal('src/typo.fc')).message, /^typo\.fc does not compile: /);
    });

    it('say which files a FunC contract lacks that includes none, and compile with the answer', async () => {
      const error = await refusal('src/adder.fc');
      assert.match(
        error.message,
        /^adder\.fc does not compile alone.*what stdlib\.fc and sums\.fc declare\.$/,
      );
      assert.deepEqual(error.details['problems'], []);
      const [, answer, file] = /write "(.*)" into (\S+)\.$/.exec(error.hint ?? '') ?? [];
      assert.match(answer ?? '', /targets: \['lib\/stdlib\.fc', 'src\/sums\.fc', 'src\/adder\.fc'\]/);
      write({ [file ?? '']: answer ?? '' });
      const [built] = await compiled('src/adder.fc');
      assert.match(
        built?.compiledBy ?? '',
        /^the project's @ton-community\/func-js .*, as Adder in Adder\.compile\.ts$/,
      );
      assert.deepEqual(
        Object.keys(built?.texts ?? {}).sort(),
        ['lib/stdlib.fc', 'src/adder.fc', 'src/sums.fc'].map(at),
      );
      const [map] = await mapSource(at('src/adder.fc'), { read, list: listFolder, isTrusted: true });
      assert.equal(map?.codeHash, built?.codeHash, 'lines are of the same code');
    });

    it('say that a FunC file is no contract by itself', async () => {
      assert.match(
        (await refusal('src/sums.fc')).message,
        /not a contract by itself: it has no recv_internal/,
      );
      write({
        'wrappers/Adder.compile.ts':
          "export const compile = { targets: ['lib/stdlib.fc', 'src/sums.fc', 'src/adder.fc'] };",
      });
      const error = await refusal('src/sums.fc');
      assert.match(`${error.message} ${error.hint}`, /a part of Adder\. Take src\/adder\.fc\.$/);
    });

    it('leave an error to the compiler that no other file explains', async () => {
      write({ 'src/adder.fc': '() recv_internal(slice body) impure { nothing_like_this(1); }\n' });
      assert.match((await refusal('src/adder.fc')).message, /^adder\.fc does not compile: line 1, /);
    });

    it('are compiled again when a build file comes or changes', async () => {
      const cache = at('cache');
      const compile = async (): Promise<string | undefined> => {
        const compiler = new SourceCompiler({ cache });
        const built = await compiler.compile(at('src/loop.fc'), { isTrusted: true });
        await compiler.close();
        return built[0]?.compiledBy?.replace(/^.*?, |^.*$/, '');
      };
      write({
        'src/loop.fc': '() recv_internal() impure { int x = 1; repeat (3) { x += 1; } throw_if(x, x); }\n',
      });
      assert.equal(await compile(), '');
      write({
        'wrappers/Loop.compile.ts': "export const compile = { targets: ['src/loop.fc'], optLevel: 0 };",
      });
      assert.equal(await compile(), 'as Loop in Loop.compile.ts');
      write({ 'wrappers/Loop.compile.ts': "export const compile = { targets: ['src/loop.fc'] };" });
      write({ 'wrappers/Round.compile.ts': "export const compile = { targets: ['src/loop.fc'] };" });
      assert.equal(await compile(), 'as Loop in Loop.compile.ts');
      rmSync(at('wrappers/Loop.compile.ts'));
      assert.equal(await compile(), 'as Round in Round.compile.ts');
    });

    it('are Tolk with the mappings of Acton.toml, whose mistakes are named where one is the reason', async () => {
      const tolk =
        'import "@core/sums";\nfun onInternalMessage(in: InMessage) { assert (seven() == 7) throw 9; }\n';
      write({ 'src/Main.tolk': tolk, 'libs/core/sums.tolk': 'fun seven(): int { return 7; }\n' });
      write({ 'Acton.toml': '[import-mappings]\ncore = "libs/core"\n' });
      const options = { read, list: listFolder, isTrusted: false };
      const [built] = await compileSource(at('src/Main.tolk'), options);
      assert.ok(at('libs/core/sums.tolk') in (built?.texts ?? {}));
      const [map] = await mapSource(at('src/Main.tolk'), options);
      assert.equal(map?.codeHash, built?.codeHash);
      write({ 'Acton.toml': '[import-mappings]\ncore = "../../core"\n' });
      await assert.rejects(compileSource(at('src/Main.tolk'), options), (error) => {
        assert.ok(WorkbenchError.is(error, 'compile-failed'));
        assert.match(error.hint ?? '', /^Acton\.toml, line 2: the mapping core leads out of the project/);
        return true;
      });
    });
  });

  it('may declare several contracts, one of which is chosen', () => {
    const built = ['JettonMinter', 'JettonWallet'].map((name) => ({ name, code: '', codeHash: '' }));
    assert.equal(oneContract(built, 'jetton.tact', 'JettonWallet').name, 'JettonWallet');
    assert.equal(oneContract(built, 'contracts\\jetton-minter.tact').name, 'JettonMinter');
    assert.equal(oneContract(built.slice(1), 'other.tact').name, 'JettonWallet');
    assert.throws(() => oneContract(built, 'jetton.tact'), /several contracts: JettonMinter, JettonWallet/);
    assert.throws(() => oneContract(built, 'jetton.tact', 'Nft'), /no contract Nft, but JettonMinter/);
    assert.throws(() => oneContract([], 'messages.tact'), /messages\.tact declares no contract\./);
  });
});
