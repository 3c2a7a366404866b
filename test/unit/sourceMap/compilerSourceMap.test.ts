import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/root.mjs';
import { mapSource } from '../../../src/toolkit/build/mapSource';
import { readCompilerMarks } from '../../../src/toolkit/sourceMap/compilerMarks';
import { placeAt } from '../../../src/toolkit/sourceMap/mapSteps';
import type { MappedSteps } from '../../../src/toolkit/sourceMap/mapSteps';
import { refusedNotes } from '../../../src/toolkit/sourceMap/refusedNotes';
import { listedMap, markedSource, notedMap } from '../../support/compilerMarks';
import type { Marked } from '../../support/compilerMarks';
import { runMapped } from './support/mappedMethod';

const everyForm = path.join(root, 'test/unit/sourceMap/everyForm.tolk').replaceAll('\\', '/');
const text = readFileSync(everyForm, 'utf8');
const listed = 'contracts/everyForm.tolk';

describe("a compiler's own source map", () => {
  let given: Marked;
  before(async () => {
    given = await markedSource(everyForm, text, listed);
  });

  it('is read as the assembler notes it, and as it is listed', () => {
    const [one, other] = [listedMap(given), { bundle: { source_map: notedMap(given) } }].map(
      (json) => readCompilerMarks(JSON.stringify(json)).lines,
    );
    assert.ok(one!.size > 5);
    assert.deepEqual(
      new Map([...other!].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      new Map([...one!].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    );
    assert.equal([...one!.values()].flat()[0]?.file, listed);
  });

  it('gives the lines of a built bundle, which are those of our alignment', async () => {
    const { code, aligned } = given;
    const files = [{ path: listed, content: text, is_stdlib: false }];
    const bundle = JSON.stringify({ verified: true, bundle: { files, source_map: notedMap(given) } });
    const read = (file: string): string => {
      if (file === '/shop/build/sources/everyForm.source.json') {
        return bundle;
      }
      if (file === '/shop/Acton.toml') {
        return '';
      }
      throw new Error('There is no such file.');
    };
    const [map] = await mapSource('/shop/build/sources/everyForm.source.json', { read, isTrusted: false });
    assert.ok(map !== undefined);
    assert.equal(map.codeHash, aligned.codeHash);
    assert.deepEqual(
      map.methods.map(({ name }) => name).sort(),
      aligned.methods.map(({ name }) => name).sort(),
    );
    const own = new Map(
      aligned.methods.flatMap((method) =>
        method.marks.map(({ cell, offset, place }) => [`${cell} ${offset}`, aligned.places[place]!] as const),
      ),
    );
    let compared = 0;
    for (const { cell, offset, place } of map.methods.flatMap((method) => method.marks)) {
      const expected = own.get(`${cell} ${offset}`);
      if (expected !== undefined && !expected.file.startsWith('@') && place >= 0) {
        assert.equal(map.places[place]!.line, expected.line);
        assert.equal(map.places[place]!.file, `/shop/${listed}`);
        compared += 1;
      }
    }
    assert.ok(compared > 200, String(compared));
    assert.deepEqual(
      refusedNotes(map).filter((note) => note.includes('has no lines')),
      [],
    );
    const lineOf = (one: MappedSteps): (number | undefined)[] =>
      Array.from({ length: one.recording.steps }, (_, step) => placeAt(one, step)?.line);
    const [fromMarks, fromListing] = await Promise.all(
      [map, aligned].map(async (one) => lineOf((await runMapped(one, code, 'nested', 7n)).steps)),
    );
    assert.deepEqual(fromMarks, fromListing);
  });

  it('that is no source map says so, and one without code, too', async () => {
    for (const bad of [
      '{',
      '[]',
      '{"marks_dict": {"AA": 5}}',
      '{"code_boc64": "te6", "debug_marks_base64": "te6"}',
    ]) {
      await assert.rejects(
        mapSource('/shop/a.source.json', { read: () => bad, isTrusted: false }),
        { code: 'source-map-unreadable' },
        bad,
      );
    }
  });
});
