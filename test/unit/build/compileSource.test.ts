import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Cell } from '@ton/core';
import { root } from '../../../scripts/lib/root.mjs';
import { readProject } from '../../../src/toolkit/abi/readProject';
import { compileSource } from '../../../src/toolkit/build/compileSource';
import { findSource } from '../../../src/toolkit/build/findSource';
import { oneContract } from '../../../src/toolkit/build/oneContract';
import { mapSource } from '../../../src/toolkit/build/mapSource';
import { hasCompiler } from '../../../src/toolkit/build/projectCompiler';
import type { BuiltContract } from '../../../src/toolkit/build/readBuiltContract';
import { SourceCompiler } from '../../../src/toolkit/build/sourceCompiler';
import { WorkbenchError } from '../../../src/toolkit/errors';

const counter = `#include "lib/seven.fc";
() recv_internal(int balance, int value, cell message, slice body) impure { }
int counter() method_id { return seven(); }
`;

describe("sources compiled by the project's own compiler", function () {
  this.timeout(60_000);
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
