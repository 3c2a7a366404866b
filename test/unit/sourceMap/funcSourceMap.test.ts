import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/root.mjs';
import type { FuncCompiler } from '../../../src/toolkit/build/mapTact';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { mapSource } from '../../../src/toolkit/build/mapSource';
import { projectCompiler } from '../../../src/toolkit/build/projectCompiler';
import { funcSourceMap } from '../../../src/toolkit/sourceMap/tolkSourceMap';
import type { FuncBuilds } from '../../../src/toolkit/sourceMap/tolkSourceMap';
import { placeAt } from '../../../src/toolkit/sourceMap/mapSteps';
import { thrownAt } from '../../../src/toolkit/sourceMap/thrownAt';
import { runMapped } from './support/mappedMethod';

const everyForm = path.join(root, 'test/unit/sourceMap/everyForm.fc');
// It comes with a package of the tests.
const compiler = projectCompiler(everyForm, '@ton-community/func-js') as FuncCompiler;
const read = (file: string): string => readFileSync(file, 'utf8');

/** With marks, this one is compiled to other code: its arguments are moved first. */
const differing = `
int load_op(slice body) asm "32 PLDU";
() recv_internal(int balance, int value, cell message, slice body) impure {
  int op = load_op(body);
  if (op == 1) {
    throw_unless(77, value > 5);
    return ();
  }
  if (op == 2) {
    int i = 0;
    while (i < 5) {
      i += 1;
    }
    throw_if(78, i > value);
  }
}
int twice(int x) method_id {
  return x * 2;
}
`;

async function buildsOf(file: string, text: string): Promise<FuncBuilds> {
  const sources = { targets: [file], sources: () => text };
  const release = await compiler.compileFunc(sources);
  const debug = await compiler.compileFunc({ ...sources, debugInfo: true });
  assert.ok(release.status === 'ok' && debug.status === 'ok');
  const { fiftCode, debugInfo } = debug;
  return {
    name: 'main',
    fiftCode: release.fiftCode,
    codeBoc: release.codeBoc,
    debug: { fiftCode, locations: debugInfo?.locations ?? [] },
    texts: new Map([[file, text]]),
  };
}

describe('the source map of FunC', () => {
  it('says why its source cannot be read', async () => {
    const unreadable = new WorkbenchError({ code: 'file-unreadable', kind: 'input', message: 'A device.' });
    const read = (): string => {
      throw unreadable;
    };
    await assert.rejects(mapSource(everyForm, { read, isTrusted: true }), (error) => error === unreadable);
  });

  it('is whole for every method, and each line is one of its function', async () => {
    const [map] = await mapSource(everyForm, { read, isTrusted: true });
    assert.deepEqual(map!.methods.map(({ name }) => name).sort(), [
      'assembled',
      'chosen',
      'countdown',
      'divided',
      'entry_of',
      'nested',
      'pay',
      'recv_internal',
      'refusing',
    ]);
    assert.ok(map!.methods.every(({ refused }) => refused === undefined));
    const names = new Set(map!.functions.map(({ name }) => name));
    for (const { line, text, function: around } of map!.places) {
      assert.ok(around !== undefined && names.has(around), `${line}: ${text}`);
      assert.doesNotMatch(text, /^(?:;;|$)/, `${line} has no code`);
    }
  });

  it('follows executions, through calls, loops, and inlined functions', async () => {
    const [map] = await mapSource(everyForm, { read, isTrusted: true });
    const compiled = await compiler.compileFunc({ targets: [everyForm], sources: read });
    assert.ok(compiled.status === 'ok');
    const { steps } = await runMapped(map!, compiled.codeBoc, 'nested', 7n);
    const { recording } = steps;
    const without = Array.from({ length: recording.steps }, (_, step) => placeAt(steps, step)).filter(
      (place) => place === undefined,
    );
    // The three instructions that select a method, for nested and each time for divided.
    assert.equal(without.length % 3, 0);
    const ran = new Set(Array.from(steps.place, (place) => map!.places[place]?.function));
    assert.deepEqual([...ran].filter((name) => name !== undefined).sort(), ['divided', 'heavy', 'nested']);
    const failed = await runMapped(map!, compiled.codeBoc, 'chosen', 1n, 2n);
    assert.equal(thrownAt(failed.steps), undefined);
  });

  it('knows numbers however they are assembled, and functions that are in the place of their calls or not', async () => {
    const [map] = await mapSource(everyForm, { read, isTrusted: true });
    const compiled = await compiler.compileFunc({ targets: [everyForm], sources: read });
    assert.ok(compiled.status === 'ok');
    for (const form of [
      '0x82eaf9c4 PUSHINT',
      'countdown INLINECALLDICT',
      'PUSHINTX',
      'same PROCINLINE:<{\n  }>',
    ]) {
      assert.ok(compiled.fiftCode.includes(form), form);
    }
    const { steps } = await runMapped(map!, compiled.codeBoc, 'assembled', 3n);
    const linesOf = (words: string): number[] =>
      Array.from({ length: steps.recording.steps }, (_, step) => placeAt(steps, step)).flatMap((place) =>
        place?.text.includes(words) === true ? [place.line] : [],
      );
    for (const words of ['same(n)', 'r * 1000', 'countdown(n - 1) + op::', 'int b = heavy']) {
      assert.equal(new Set(linesOf(words)).size, 1, words);
    }
  });

  it('names the line that threw', async () => {
    const text = read(everyForm);
    const [map] = await mapSource(everyForm, { read, isTrusted: true });
    const compiled = await compiler.compileFunc({ targets: [everyForm], sources: read });
    assert.ok(compiled.status === 'ok');
    const byId = text.replace('method_id(77777)', 'method_id');
    const other = await buildsOf(everyForm, byId);
    const named = await funcSourceMap(other);
    const { steps } = await runMapped(named, other.codeBoc, 'refusing', 5000n);
    const thrown = thrownAt(steps);
    assert.equal(thrown?.place.text, 'throw_if(333, rest > 1000);');
    assert.equal(map!.methods.find(({ name }) => name === 'refusing')?.id, 77777);
  });

  it('is whole where the build with marks has other code', async () => {
    const builds = await buildsOf('/main.fc', differing);
    const marked = typeof builds.debug === 'string' ? '' : builds.debug.fiftCode;
    assert.notEqual(marked.replaceAll(/^ *\d+ DEBUGMARK\n/gm, '').includes('1 2 BLKDROP2'), true);
    const map = await funcSourceMap(builds);
    assert.ok(map.methods.every(({ refused }) => refused === undefined));
    const lines = new Set(map.places.map(({ line }) => line));
    for (const words of ['load_op(body);', 'value > 5', 'while (i < 5)', 'i += 1', 'i > value', 'x * 2']) {
      const line = differing.split('\n').findIndex((text) => text.includes(words)) + 1;
      assert.ok(lines.has(line), words);
    }
  });

  it('refuses a method whose two builds differ in more than moves on the stack', async () => {
    const builds = await buildsOf('/main.fc', differing);
    assert.ok(typeof builds.debug !== 'string');
    const { fiftCode, locations } = builds.debug;
    for (const [from, to] of [
      ['77 THROWIFNOT', '77 THROWIF'],
      ['INC', 'INC\nINC'],
      ['5 LESSINT', ''],
      ['WHILE:<{', 'UNTIL:<{'],
    ] as const) {
      const map = await funcSourceMap({
        ...builds,
        debug: { fiftCode: fiftCode.replace(from, to), locations },
      });
      const [main, twice] = ['recv_internal', 'twice'].map((name) =>
        map.methods.find((method) => method.name === name),
      );
      assert.match(main?.refused ?? 'aligned', /^the build with marks of recv_internal differs: /, from);
      assert.deepEqual([main?.marks, twice?.refused], [[], undefined]);
    }
    const none = await funcSourceMap({ ...builds, debug: 'the FunC compiler cannot build it' });
    assert.ok(none.methods.every(({ refused }) => refused === 'the FunC compiler cannot build it'));
  });
});
