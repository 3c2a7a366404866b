import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beginCell, Cell } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { root } from '../../../scripts/lib/root.mjs';
import type { FuncCompiler } from '../../../src/toolkit/build/mapTact';
import { mapFunc } from '../../../src/toolkit/build/mapSource';
import { projectCompiler } from '../../../src/toolkit/build/projectCompiler';
import { placeAt } from '../../../src/toolkit/sourceMap/mapSteps';
import { NotAlignedError } from '../../../src/toolkit/sourceMap/alignBlocks';
import { mapOrRefused } from '../../../src/toolkit/sourceMap/mapOrRefused';
import { compiledAlone } from '../../../src/toolkit/project/projectDescription';
import { refusedNotes } from '../../../src/toolkit/sourceMap/refusedNotes';
import type { SourceMap } from '../../../src/toolkit/sourceMap/sourceMap';
import { thrownAt } from '../../../src/toolkit/sourceMap/thrownAt';
import { mapText, runMapped } from './support/mappedMethod';

const file = '/deep.tolk';
const everyForm = path.join(root, 'test/unit/sourceMap/everyForm.fc');

async function built(text: string): Promise<{ codeBoc64: string; fiftCode: string }> {
  const compiled = await runTolkCompiler({ entrypointFileName: file, fsReadCallback: () => text });
  assert.ok(compiled.status === 'ok', compiled.status === 'error' ? compiled.message : '');
  return compiled;
}

/** The notes of a map, and the lines that have code. */
function linesOf(map: SourceMap): number[] {
  assert.deepEqual(refusedNotes(map), []);
  assert.ok(map.methods.every(({ marks }) => marks.length > 0));
  return [...new Set(map.places.filter((place) => place.file === file).map(({ line }) => line))].sort(
    (a, b) => a - b,
  );
}

/** A get-method whose variables are more than the stack has short names for. */
function deepSource(variables: number): string {
  const names = Array.from({ length: variables }, (_, index) => `v${index}`);
  return [
    'fun onInternalMessage(in: InMessage) { }',
    'get fun deep(n: int): int {',
    ...names.map((name, index) => `    val ${name} = n * ${index + 2} + ${index};`),
    '    assert (v0 > 3) throw 400;',
    '    var total = 0;',
    ...names.map((name, index) => `    total = total * 3 + ${name} * ${names.at(-1 - index)};`),
    '    assert (total > 10) throw 401;',
    '    return total;',
    '}',
  ].join('\n');
}

describe('a listing that is read only in part', () => {
  it('names slots below the sixteenth, however it writes them', async () => {
    for (const variables of [17, 20, 40]) {
      const source = deepSource(variables);
      const { fiftCode, codeBoc64 } = await built(source);
      assert.match(fiftCode, /^ *\d+ s\(\) |s\(\d+\)/m);
      const map = await mapText(file, source);
      assert.ok(linesOf(map).includes(variables * 2 + 5));
      const { steps } = await runMapped(map, codeBoc64, 'deep', 0n);
      assert.match(thrownAt(steps)?.place.text ?? '', /throw 400/);
      const { steps: other } = await runMapped(map, codeBoc64, 'deep', 7n);
      assert.ok([...other.place].filter((place) => place < 0).length < 8);
    }
  });

  it('gives the line of its call to assembly that is not instructions', async () => {
    const source = [
      'fun slice.loadShort(mutate self): int asm(-> 1 0) "x{D30F} s,";',
      'fun builder.storeOne(mutate self): self asm "STONE";',
      'fun constant(): cell asm "<b 2 8 u, 5 256 u, b>spec PUSHREF";',
      'fun sum(a: int, b: int): int asm "1 2 + drop ADD";',
      'fun pick(a: int, b: int): int asm "<{ x{30} s, }> PUSHCONT" "EXECUTE";',
      'fun onInternalMessage(in: InMessage) {',
      '    var body = in.body;',
      '    if (body.isEmpty()) {',
      '        return;',
      '    }',
      '    val n = body.loadShort();',
      '    assert (n > 4) throw 77;',
      '    contract.setData(beginCell().storeOne().storeUint(pick(sum(n, 2), n), 32).endCell());',
      '}',
      'get fun read(body: slice): int {',
      '    val n = body.loadShort();',
      '    val m = sum(n, 3);',
      '    assert (m != 5) throw 78;',
      '    return pick(m, constant().beginParse().remainingBitsCount());',
      '}',
    ].join('\n');
    const { fiftCode, codeBoc64 } = await built(source);
    assert.match(fiftCode, /x\{D30F\} s,/);
    const map = await mapText(file, source);
    const lines = linesOf(map);
    for (const line of [11, 12, 13, 16, 17, 18, 19]) {
      assert.ok(lines.includes(line), `line ${line} of ${lines.join(' ')}`);
    }
    // 16 bits are read, with the number 2: its sum with 3 is 5.
    const body = beginCell().storeUint(2, 16).endCell();
    const { steps } = await runMapped(map, codeBoc64, 'read', { type: 'slice', cell: body });
    assert.match(thrownAt(steps)?.place.text ?? '', /throw 78/);
    const ran = new Set([...steps.place].map((_, step) => placeAt(steps, step)?.line));
    assert.deepEqual(
      [16, 17, 18].filter((line) => !ran.has(line)),
      [],
    );
  });

  it('that cannot be read at all is a map without lines that says so', async () => {
    const { codeBoc64 } = await built(deepSource(3));
    const code = Cell.fromBase64(codeBoc64);
    const map = await mapOrRefused({ name: 'deep', language: 'tolk', code }, () =>
      Promise.reject(new NotAlignedError('the listing is a poem')),
    );
    assert.equal(map.codeHash, code.hash().toString('hex'));
    assert.ok(map.methods.length >= 2);
    assert.match(refusedNotes(map)[0] ?? '', /^recv_internal has no lines: the listing is a poem\.$/);
    const fault = new TypeError('A fault of ours.');
    await assert.rejects(
      mapOrRefused({ name: 'deep', language: 'tolk', code }, () => Promise.reject(fault)),
      fault,
    );
  });
});

describe('the lines of a FunC compiler that tells none', () => {
  const compiler = projectCompiler(everyForm, '@ton-community/func-js') as FuncCompiler;
  /** As versions before 0.11 do, it knows no debug information. */
  const old: FuncCompiler = {
    compileFunc: ({ targets, sources }) => compiler.compileFunc({ targets, sources }),
  };
  const mapWith = (one: FuncCompiler, text: string, name = everyForm): Promise<SourceMap> => {
    const texts = new Map<string, string>();
    const read = (path: string): string => {
      texts.set(path, text);
      return text;
    };
    return mapFunc({ path: name, read, texts, compilation: compiledAlone(name) }, one);
  };

  it('are those that a newer one tells, for whole statements', async () => {
    const text = readFileSync(everyForm, 'utf8');
    const [marked, told] = await Promise.all([mapWith(old, text), mapWith(compiler, text)]);
    assert.deepEqual(refusedNotes(marked), []);
    const source = text.split('\n');
    let same = 0;
    for (const [index, method] of marked.methods.entries()) {
      const other = told.methods[index]!;
      assert.equal(method.marks.length, other.marks.length);
      for (const [at, { place }] of method.marks.entries()) {
        const [own, theirs] = [marked.places[place]!.line, told.places[other.marks[at]!.place]!.line];
        same += own === theirs ? 1 : 0;
        // The compiler tells the line inside a statement, and moves on the stack are of the one before or after.
        const between = source.slice(Math.min(own, theirs) - 1, Math.max(own, theirs) - 1).join('\n');
        const isMove = (between.match(/[;{}]\s*$/gm) ?? []).length <= 4;
        assert.ok(own <= theirs || isMove, `${method.name} ${own} ${theirs}`);
      }
    }
    const all = marked.methods.flatMap(({ marks }) => marks).length;
    assert.ok(same > all * 0.7, `${same} of ${all}`);
  });

  it('tell apart the conditions after else, and the one at the end of a loop', async () => {
    const source = [
      'int heavy(int n) inline_ref { return n * 3 + 1; }',
      '() recv_internal() { }',
      'int chosen(int n) method_id {',
      '  if (n == 1) {',
      '    throw(501);',
      '  } elseif (heavy(n) / (n - 2)) {',
      '    n += 4;',
      '  } elseifnot (heavy(n) / (n - 3)) {',
      '    n += 5;',
      '  } else {',
      '    n += 6;',
      '  }',
      '  do {',
      '    n -= 1;',
      '  } until (100 / (n - 7) > 1000);',
      '  return n;',
      '}',
    ].join('\n');
    const map = await mapWith(old, source, '/main.fc');
    assert.deepEqual(refusedNotes(map), []);
    const compiled = await old.compileFunc({ targets: ['/main.fc'], sources: () => source });
    assert.ok(compiled.status === 'ok');
    const thrown = async (n: bigint): Promise<number | undefined> =>
      thrownAt((await runMapped(map, compiled.codeBoc, 'chosen', n)).steps)?.place.line;
    assert.deepEqual([await thrown(1n), await thrown(2n), await thrown(9n)], [5, 6, 15]);
  });

  it('leave out only the functions that the compiler refuses with marks', async () => {
    const refusing: FuncCompiler = {
      compileFunc: ({ targets, sources }) => {
        const text = sources('/main.fc');
        return text.includes('beta(int n) method_id { ton_workbench')
          ? Promise.resolve({ status: 'error', message: '/main.fc:3:1: error: no marks here' })
          : compiler.compileFunc({ targets, sources });
      },
    };
    const source =
      '() recv_internal() { }\nint alpha(int n) method_id { return n / 3; }\nint beta(int n) method_id { return n / 4; }\n';
    const map = await mapWith(refusing, source, '/main.fc');
    const lines = Object.fromEntries(
      map.methods.map(({ name, marks }) => [name, marks.map(({ place }) => map.places[place]?.line)]),
    );
    assert.deepEqual(new Set(lines['alpha']), new Set([2]));
    // Of a function without marks, nothing is known, and no other line is told instead.
    assert.deepEqual(lines['beta'], []);
    assert.match(refusedNotes(map).join(), /^beta has no lines: the compiler does not say/);
  });

  it('leave out only the functions with which the compiler crashes', async () => {
    const crashing: FuncCompiler = {
      compileFunc: ({ targets, sources }) =>
        /int beta\(int n\) method_id \{\s+ton_workbench/.test(sources('/main.fc'))
          ? Promise.reject(new Error('Aborted()'))
          : compiler.compileFunc({ targets, sources }),
    };
    const names = ['alpha', 'beta', 'gamma', 'delta', 'omega'];
    const source = [
      '() recv_internal() { }',
      ...names.map((name, index) => `int ${name}(int n) method_id {\n  return n / ${index + 3};\n}`),
    ].join('\n');
    const map = await mapWith(crashing, source, '/main.fc');
    const refused = map.methods.filter((method) => method.refused !== undefined).map(({ name }) => name);
    assert.deepEqual(refused, ['beta']);
    const omega = map.methods.find(({ name }) => name === 'omega');
    assert.deepEqual(new Set(omega?.marks.map(({ place }) => map.places[place]?.line)), new Set([15]));
  });
});
