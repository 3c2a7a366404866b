import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Cell, getMethodId } from '@ton/core';
import { describeContract } from '../../../src/toolkit/contracts/abi/contractDescription';
import type { ProjectContract } from '../../../src/toolkit/contracts/abi/projectContract';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';
import { codeMethods } from '../../../src/toolkit/contracts/abi/codeMethods';
import { compileTolk } from '../../../src/toolkit/build/compileTolk';
import { findSource } from '../../../src/toolkit/build/findSource';
import type { BuiltContract } from '../../../src/toolkit/build/readBuiltContract';
import { textHash } from '../../../src/toolkit/build/textHashes';
import { SourceCompiler } from '../../../src/toolkit/build/sourceCompiler';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { systemClock } from '../../../src/toolkit/base/time';
import type { Clock } from '../../../src/toolkit/base/time';

const own = 'fun onInternalMessage(in: InMessage) {}\nget fun info(): int { return 7; }\n';
const other = 'fun onInternalMessage(in: InMessage) {}\nget fun info(): int { return 8; }\n';
const wider = `${own}get fun more(): int { return 9; }\n`;

describe('the source of a deployed code', () => {
  const texts: Record<string, string> = { 'own.tolk': own, 'other.tolk': other, 'wider.tolk': wider };
  const compile = (file: string): ReturnType<typeof compileTolk> =>
    compileTolk(file, (name) => texts[name] ?? '');

  it('is the one that compiles to it; sources without its get-methods are not compiled', async () => {
    const built = await compile('own.tolk');
    const deployed = { codeHash: built.codeHash, code: Cell.fromBase64(built.code) };
    const project = await readProject(Object.entries(texts).map(([file, text]) => ({ path: file, text })));
    const compiled: string[] = [];
    const compileOne = async ({ file }: { file: string }): Promise<BuiltContract[]> => {
      compiled.push(file);
      return [await compile(file)];
    };
    const found = await findSource(deployed, project, compileOne);
    assert.equal(found?.file, 'own.tolk');
    assert.ok(!compiled.includes('wider.tolk'), compiled.join());
    assert.equal(await findSource(deployed, project, () => Promise.resolve([])), undefined);
    const known = [
      ...project,
      { name: 'Own', file: 'own.tolk', codeHash: built.codeHash, methods: [], errors: new Map() },
    ];
    const { name, nameOrigin, methods } = describeContract(deployed, known);
    assert.deepEqual([name, nameOrigin], ['own', 'the hash of its code, own.tolk']);
    assert.deepEqual(
      methods.map((method) => method.name),
      ['info'],
    );
  });

  it('is found for code of Tact that begins otherwise', async () => {
    const box = 'contract Box { receive() {} get fun v(): Int { return 5; } }';
    // Compiled by Tact 1.6.13.
    const code = Cell.fromBase64(
      'te6cckEBAwEAfAABwv8Ajoj0pBP0vPLIC+1TII5MMAHQctch0gDSAPpAIRA0UGZvBPhhAvhi7UTQ0gAwkW2RbeICkVvgcCHXSSDCH5UxAdMfMJEy4sAAAcEhsJkwyH8BygDJ7VTgMPLAguHtQ9kBASOmR5R7UTQ0gAwkW2RbeLbPDGACAAJ1A5efsQ==',
    );
    const codeHash = code.hash().toString('hex');
    assert.deepEqual(codeMethods(code), [{ id: getMethodId('v') }]);
    const files = Object.entries({ 'box.tact': box, ...texts });
    const project = await readProject(files.map(([file, text]) => ({ path: file, text })));
    const compiled: string[] = [];
    const found = await findSource({ codeHash, code }, project, ({ file }) => {
      compiled.push(file);
      return Promise.resolve([{ name: 'Box', codeHash }]);
    });
    assert.deepEqual([found?.name, compiled], ['Box', ['box.tact']]);
  });
});

describe('the source of a code that build output has', () => {
  it('is only looked for in the sources of its name', async () => {
    const built = await compileTolk('own.tolk', () => own);
    const deployed = { codeHash: built.codeHash, code: Cell.fromBase64(built.code) };
    const project: ProjectContract[] = [
      ...(await readProject([
        { path: 'contracts/own.tolk', text: own },
        { path: 'contracts/other.tolk', text: other },
      ])),
      {
        name: 'Own',
        file: 'build/Own.compiled.json',
        codeHash: built.codeHash,
        methods: [],
        errors: new Map(),
      },
    ];
    const compiled: string[] = [];
    const compileOne = (text: string) => async (source: { file: string }) => {
      compiled.push(source.file);
      return [await compileTolk('own.tolk', () => text)];
    };
    assert.equal((await findSource(deployed, project, compileOne(own)))?.file, 'contracts/own.tolk');
    // The name alone does not make it the source.
    assert.equal(await findSource(deployed, project, compileOne(other)), undefined);
    assert.deepEqual(compiled, ['contracts/own.tolk', 'contracts/own.tolk']);
  });
});

describe('sources with the same get-methods', () => {
  it('are compiled in the order of the opcodes that the code contains', async () => {
    const source = (opcode: string): string => `
struct (${opcode}) Add { amount: uint32 }
fun onInternalMessage(in: InMessage) {
  val msg = lazy Add.fromSlice(in.body);
  assert (msg.amount < 10) throw 402;
}
get fun info(): int { return 7; }
`;
    const files = Array.from({ length: 30 }, (_, index) => ({
      path: `c${index}.tolk`,
      text: source(`0x${(0x2cafe000 + index).toString(16)}`),
    }));
    const compile = (text: string): ReturnType<typeof compileTolk> => compileTolk('c.tolk', () => text);
    const { codeHash, code } = await compile(files[27]?.text ?? '');
    const compiled: string[] = [];
    const found = await findSource(
      { codeHash, code: Cell.fromBase64(code) },
      await readProject(files),
      async ({ file, layoutTexts }) => {
        compiled.push(file);
        return [await compile(layoutTexts?.[0] ?? '')];
      },
    );
    assert.equal(found?.file, 'c27.tolk');
    assert.deepEqual(compiled, ['c27.tolk']);
  });
});

describe('a source with several contracts', () => {
  it('is compiled once to find one of them', async () => {
    const { code, codeHash } = await compileTolk('own.tolk', () => own);
    const contract = (name: string): ProjectContract => ({
      ...{ name, file: 'shop.tact', origin: 'Tact source', methods: [], errors: new Map() },
    });
    const compiled: string[] = [];
    const found = await findSource(
      { codeHash, code: Cell.fromBase64(code) },
      ['First', 'Second', 'Third'].map(contract),
      ({ file }) => {
        compiled.push(file);
        return Promise.resolve([
          { name: 'First', codeHash: '00' },
          { name: 'Third', codeHash },
        ]);
      },
    );
    assert.equal(found?.name, 'Third');
    assert.deepEqual(compiled, ['shop.tact']);
  });
});

describe('the compilers in a thread', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tonwb-tolk-'));
  const file = path.join(folder, 'own.tolk');
  after(() => rmSync(folder, { recursive: true }));

  it('compiles files with unsaved changes, and reports errors with their positions', async () => {
    writeFileSync(file, own);
    const compiler = new SourceCompiler();
    const [[saved], [unsaved]] = await Promise.all([
      compiler.compile(file, { isTrusted: true }),
      compiler.compile(file, { unsaved: { [file]: other }, isTrusted: true }),
    ]);
    assert.ok(saved !== undefined && unsaved !== undefined);
    assert.equal(saved.codeHash, (await compileTolk(file, () => own)).codeHash);
    assert.notEqual(unsaved.codeHash, saved.codeHash);
    assert.equal(saved.texts?.[file], textHash(own, file));
    assert.equal(unsaved.texts?.[file], textHash(other, file));
    await assert.rejects(
      compiler.compile(file, {
        unsaved: { [file]: 'fun onInternalMessage(in: InMessage) { nothing(); }' },
        isTrusted: true,
      }),
      (error) => {
        assert.ok(WorkbenchError.is(error, 'compile-failed'));
        assert.equal((error.details['problems'] as { path: string }[])[0]?.path, file);
        return true;
      },
    );
    await compiler.close();
  });

  it('is stopped if it takes too long, and starts again for the next file', async () => {
    writeFileSync(file, own);
    let isLate = true;
    const clock: Clock = {
      ...systemClock,
      after: (ms, work, keepAlive) => systemClock.after(isLate ? 0 : ms, work, keepAlive),
    };
    const compiler = new SourceCompiler({ clock });
    await assert.rejects(
      compiler.compile(file, { isTrusted: true }),
      /did not finish: it was not done after 30 seconds/,
    );
    isLate = false;
    assert.equal((await compiler.compile(file, { isTrusted: true }))[0]?.name, 'Own');
    await compiler.close();
  });
});
