import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { otherCompiler } from '../../../src/toolkit/build/otherCompiler';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import type { ErrorCode } from '../../../src/toolkit/base/errorCodes';
import { CoverageBook } from '../../../src/toolkit/sourceMap/coverageBook';
import { findSourceMap } from '../../../src/toolkit/sourceMap/findSourceMap';
import type { TriedSource } from '../../../src/toolkit/sourceMap/findSourceMap';
import { countRun } from '../../../src/toolkit/sourceMap/mapSteps';
import { whyNoLines } from '../../../src/toolkit/sourceMap/whyNoLines';
import { runTolkCompiler } from '@ton/tolk-js';
import { mapText, runMapped } from './support/mappedMethod';

const failing = (code: ErrorCode, message: string): WorkbenchError =>
  new WorkbenchError({ code, kind: 'input', message });

describe('why a code has no lines', () => {
  const why = (tried: readonly TriedSource[], other?: string): string =>
    whyNoLines(tried, {
      shown: (file) => file,
      otherCompiler: () => other,
      toRunCompiler: (file) => `add --source ${file}`,
    });

  it('has one sentence for each cause', () => {
    assert.match(why([]), /^No source here compiles to the code/);
    assert.match(why([{ file: 'a.tolk' }]), /^a\.tolk no longer compiles to the code that ran/);
    assert.equal(
      why([{ file: 'a.tolk' }], '@ton/tolk-js 1.1.0'),
      'For source lines, add --source a.tolk: its project has @ton/tolk-js 1.1.0, which is run only if you name the file, and ours gives other code.',
    );
    assert.match(
      why([{ file: 'a.fc', error: failing('compiler-missing', 'None.') }]),
      /^For source lines, add --source a\.fc: its project's compiler is run only if you name the file\.$/,
    );
    assert.equal(
      why([
        { file: 'b.tolk' },
        { file: 'a.tolk', error: failing('compile-failed', 'a.tolk does not compile: line 3, x.') },
      ]),
      'a.tolk gives no lines: a.tolk does not compile: line 3, x.',
    );
  });

  it('keeps what was tried, with what failed', async () => {
    const contract = { name: 'Gate', codeHash: 'ff', methods: [] };
    const error = failing('compile-failed', 'It does not compile.');
    const found = await findSourceMap(
      'ff',
      [
        { ...contract, file: 'Gate.tolk' },
        { ...contract, file: 'old/Gate.tolk', codeHash: 'ee' },
      ] as unknown as Parameters<typeof findSourceMap>[1],
      (file) => (file === 'Gate.tolk' ? Promise.reject(error) : Promise.resolve([])),
    );
    assert.deepEqual(found, {
      map: undefined,
      tried: [{ file: 'Gate.tolk', error }, { file: 'old/Gate.tolk' }],
    });
  });

  it("knows another version of Tolk in the file's project", () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'workbench-'));
    const library = path.join(folder, 'node_modules/@ton/tolk-js');
    mkdirSync(library, { recursive: true });
    writeFileSync(path.join(library, 'index.js'), '');
    const source = path.join(folder, 'Gate.tolk');
    writeFileSync(
      path.join(library, 'package.json'),
      JSON.stringify({ name: '@ton/tolk-js', version: '1.1.0', main: 'index.js' }),
    );
    assert.equal(otherCompiler(source), '@ton/tolk-js 1.1.0');
    assert.equal(otherCompiler(path.join(folder, 'Gate.tact')), undefined);
    rmSync(library, { recursive: true });
    assert.equal(otherCompiler(source), undefined);
    rmSync(folder, { recursive: true });
  });

  it('is a row of the coverage for a method that ran', async () => {
    const text =
      'fun onInternalMessage(in: InMessage) { }\nget fun one(n: int): int {\n  return n + 1;\n}\nget fun two(n: int): int {\n  return n + 2;\n}';
    const whole = await mapText('/two.tolk', text);
    const methods = whole.methods.map((method) =>
      method.name === 'two' ? { ...method, refused: 'it is odd', marks: [], parents: [] } : method,
    );
    const map = { ...whole, methods };
    const compiled = await runTolkCompiler({ entrypointFileName: '/two.tolk', fsReadCallback: () => text });
    assert.ok(compiled.status === 'ok');
    const book = new CoverageBook();
    book.addMap(map);
    for (const method of ['one', 'two', 'two']) {
      const { steps } = await runMapped(map, compiled.codeBoc64, method, 1n);
      book.addRun(map.codeHash, countRun(steps));
    }
    assert.deepEqual(book.unlined(), [{ contract: map.name, name: 'two', why: 'it is odd', runs: 2 }]);
  });
});
