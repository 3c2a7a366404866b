import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beginCell, Cell, Dictionary } from '@ton/core';
import type { DictionaryValue, Slice } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { root } from '../../../scripts/lib/root.mjs';
import { mapSource } from '../../../src/toolkit/build/mapSource';
import { readDictionary } from '../../../src/toolkit/cell/readDictionary';
import { WorkBudget } from '../../../src/toolkit/limits';
import { readCompilerMarks } from '../../../src/toolkit/sourceMap/compilerMarks';
import { placeAt } from '../../../src/toolkit/sourceMap/mapSteps';
import type { MappedSteps } from '../../../src/toolkit/sourceMap/mapSteps';
import { refusedNotes } from '../../../src/toolkit/sourceMap/refusedNotes';
import type { SourceMap } from '../../../src/toolkit/sourceMap/sourceMap';
import { runMapped } from './support/mappedMethod';

const everyForm = path.join(root, 'test/unit/sourceMap/everyForm.tolk').replaceAll('\\', '/');
const text = readFileSync(everyForm, 'utf8');
const listed = 'contracts/everyForm.tolk';

/** The lines of our alignment, as marks of a compiler: one for each instruction. */
interface Marked {
  code: string;
  aligned: SourceMap;
  /** By cell: bit offset, and number of the mark. */
  positions: Map<string, [offset: number, id: number][]>;
  marks: { kind: string; range: number[] }[];
}

async function marked(): Promise<Marked> {
  const [aligned] = await mapSource(everyForm, { read: () => text, isTrusted: false });
  const compiled = await runTolkCompiler({ entrypointFileName: everyForm, fsReadCallback: () => text });
  assert.ok(aligned !== undefined && compiled.status === 'ok');
  const positions: Marked['positions'] = new Map();
  const marks: Marked['marks'] = [{ kind: 'stack', range: [] }];
  const seen = new Set<string>();
  for (const { cell, offset, place } of aligned.methods.flatMap((method) => method.marks)) {
    const { file, line } = aligned.places[place]!;
    if (!seen.has(`${cell} ${offset}`) && !file.startsWith('@')) {
      seen.add(`${cell} ${offset}`);
      const id = marks.push({ kind: 'loc', range: [1, line, 1, line, 2] }) - 1;
      positions.set(cell, [...(positions.get(cell) ?? []), [offset, id]]);
    }
  }
  return { code: compiled.codeBoc64, aligned, positions, marks };
}

const symbols = {
  files: [
    { file_id: 0, file_name: '@stdlib/common.tolk' },
    { file_id: 1, file_name: listed },
  ],
};

/** Offsets in a reference, as the assembler writes them; its keys are their numbers. */
const offsetsValue: DictionaryValue<number[]> = {
  serialize: (offsets, builder) => {
    const inner = Dictionary.empty(Dictionary.Keys.Uint(10), emptyValue);
    offsets.forEach((offset) => inner.set(offset, true));
    const cell = beginCell();
    inner.storeDirect(cell);
    builder.storeRef(cell.endCell());
  },
  parse: () => [],
};
const emptyValue: DictionaryValue<true> = { serialize: () => undefined, parse: (_: Slice) => true };

/** The marks as the assembler notes them: methods by the hash and offsets without their label in the dictionary. */
function assembled({ code, positions }: Marked): string {
  const methods = new Map<string, { hash: bigint; before: number }>();
  readDictionary(Cell.fromBase64(code).refs[0]!, 19, new WorkBudget('dictionaryCells'), (_, value, cell) => {
    methods.set(cell.hash().toString('hex'), {
      hash: BigInt(`0x${value.asCell().hash().toString('hex')}`),
      before: cell.bits.length - value.remainingBits,
    });
  });
  const outer = Dictionary.empty(Dictionary.Keys.BigUint(256), {
    serialize: ({ isInside, ids }: { isInside: boolean; ids: Dictionary<number, number[]> }, builder) => {
      builder.storeBit(isInside).storeDict(ids);
    },
    parse: () => assert.fail(),
  });
  for (const [hash, marks] of positions) {
    const method = methods.get(hash);
    const ids = Dictionary.empty(Dictionary.Keys.Uint(32), offsetsValue);
    marks.forEach(([offset, id]) => ids.set(id, [offset - (method?.before ?? 0)]));
    outer.set(method?.hash ?? BigInt(`0x${hash}`), { isInside: method === undefined, ids });
  }
  const cell = beginCell();
  outer.storeDirect(cell);
  return cell.endCell().toBoc().toString('base64');
}

describe("a compiler's own source map", function () {
  this.timeout(60_000);
  let given: Marked;
  before(async () => {
    given = await marked();
  });

  it('is read as the assembler notes it, and as it is listed', () => {
    const { code, marks, positions } = given;
    const listedMap = {
      ...symbols,
      debug_marks: marks,
      marks_dict: Object.fromEntries([...positions].map(([hash, list]) => [hash.toUpperCase(), list])),
    };
    const noted = {
      code_boc64: code,
      debug_marks_base64: assembled(given),
      debug_marks_json: marks,
      symbol_types_json: symbols,
    };
    const [one, other] = [listedMap, { bundle: { source_map: noted } }].map(
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
    const { code, marks, aligned } = given;
    const files = [{ path: listed, content: text, is_stdlib: false }];
    const noted = {
      code_boc64: code,
      debug_marks_base64: assembled(given),
      debug_marks_json: marks,
      symbol_types_json: symbols,
    };
    const bundle = JSON.stringify({ verified: true, bundle: { files, source_map: noted } });
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
