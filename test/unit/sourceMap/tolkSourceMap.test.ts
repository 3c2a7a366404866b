import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runTolkCompiler } from '@ton/tolk-js';
import { root } from '../../../scripts/lib/root.mjs';
import { mapSource } from '../../../src/toolkit/build/mapSource';
import type { SourceMap } from '../../../src/toolkit/sourceMap/sourceMap';
import { tolkSourceMap } from '../../../src/toolkit/sourceMap/tolkSourceMap';

const read = (file: string): string => readFileSync(file, 'utf8');
const everyForm = path.join(root, 'test/unit/sourceMap/everyForm.tolk');
const examples = [
  'examples/contracts',
  'src/toolkit/localnet/system/contracts',
  'test/conformance/contracts',
].flatMap((folder) =>
  readdirSync(path.join(root, folder))
    .filter((file) => file.endsWith('.tolk'))
    .map((file) => path.join(root, folder, file)),
);

async function listingOf(file: string): Promise<{ fiftCode: string; codeBoc64: string }> {
  const compiled = await runTolkCompiler({
    entrypointFileName: file,
    fsReadCallback: read,
    withSrcLineComments: true,
    withStackComments: true,
  });
  assert.ok(compiled.status === 'ok', compiled.status === 'error' ? compiled.message : '');
  return compiled;
}

/** Each method of the map with why it was refused, if it was. */
const refusals = ({ methods }: SourceMap): Record<string, string | undefined> =>
  Object.fromEntries(methods.map(({ name, refused }) => [name, refused]));

describe('the source map of Tolk', () => {
  it('is whole for every method of every Tolk contract here', async () => {
    for (const file of [...examples, everyForm]) {
      const [map] = await mapSource(file, { read, isTrusted: false });
      const refused = map!.methods.filter((method) => method.refused !== undefined);
      assert.deepEqual(refused, [], file);
      assert.ok(map!.methods.length > 0 && map!.methods.every(({ marks }) => marks.length > 0), file);
    }
  });

  it('has only lines that the listing quotes, with the names of the listing', async () => {
    const [map] = await mapSource(everyForm, { read, isTrusted: false });
    const { fiftCode } = await listingOf(everyForm);
    const quotes = new Map<number, string[]>();
    for (const [, line, text] of fiftCode.matchAll(/^ *\/\/ (\d+): (.*)$/gm)) {
      quotes.set(Number(line), [...(quotes.get(Number(line)) ?? []), text!.trim()]);
    }
    for (const { line, text } of map!.places) {
      const quoted = quotes.get(line) ?? [];
      assert.ok(
        quoted.some((quote) => text.replace(/^\}\s*/, '').startsWith(quote)),
        `${line}: ${text} is none of ${quoted.join(', ')}`,
      );
    }
    const called = map!.places.find(({ text }) => text.startsWith('r = a * b + c'));
    assert.deepEqual([called?.function, called?.line], ['heavy', 38]);
    assert.ok(map!.names.some((names) => names.join(' ') === 'a b c'));
  });

  it('tells the functions of a source, with their lines', async () => {
    const [map] = await mapSource(everyForm, { read, isTrusted: false });
    const save = map!.functions.find(({ name }) => name === 'Store.save');
    assert.deepEqual([save?.line, save?.end], [29, 31]);
    const nested = map!.functions.find(({ name }) => name === 'nested');
    const text = read(everyForm).split('\n');
    assert.match(text[nested!.line - 1]!, /get fun nested/);
    assert.equal(text[nested!.end - 1], '}');
  });

  it('refuses a method whose listing differs from its code in anything', async () => {
    const { fiftCode, codeBoc64 } = await listingOf(everyForm);
    const texts = new Map([[everyForm, read(everyForm)]]);
    const changed = (from: string | RegExp, to: string): Promise<SourceMap> => {
      const listing = fiftCode.replace(from, to);
      assert.notEqual(listing, fiftCode);
      return tolkSourceMap({ name: 'all', fiftCode: listing, codeBoc64, texts });
    };
    const cases: [from: RegExp, to: string, why: RegExp][] = [
      [
        /(point\(\) PROC:<\{[^]*?)300 PUSHINT/,
        '$1301 PUSHINT',
        /listing has 301 PUSHINT, the code 300 PUSHINT/,
      ],
      [/(point\(\) PROC:<\{[^]*?)300 PUSHINT/, '$1NEGATE\n300 PUSHINT', /listing has NEGATE/],
      [/(point\(\) PROC:<\{[^]*?)SWAP/, '$1', /listing has -1000 PUSHINT, the code 0 1 XCHG/],
      [/(point\(\) PROC:<\{[^]*?)\n {2}\}>/, '$1\n    NEGATE\n  }>', /the code ends/],
      [/(point\(\) PROC:<\{[^]*?)IF:<\{/, '$1IFJMP:<{', /the code IF/],
      [/(point\(\) PROC:<\{[^]*?)DUP\s+\/\/ +p\.x=1[^\n]*/, '$1', /the code goes on with DUP/],
    ];
    for (const [from, to, why] of cases) {
      const { point: refused, ...others } = refusals(await changed(from, to));
      assert.match(refused ?? 'aligned', why, to);
      // Methods that call nothing of it are still whole.
      assert.equal(others['chosen'], undefined);
    }
  });

  it('refuses a method with an instruction whose line is not certain', async () => {
    const { fiftCode, codeBoc64 } = await listingOf(everyForm);
    const text = read(everyForm);
    const copies = new Map([
      [everyForm, text],
      ['/copy.tolk', text],
    ]);
    const twice = await tolkSourceMap({ name: 'all', fiftCode, codeBoc64, texts: copies });
    assert.match(refusals(twice)['point'] ?? '', /does not say which line/);
    const bare = fiftCode.replaceAll(/^ *\/\/ \d+: .*$/gm, '');
    const none = await tolkSourceMap({
      name: 'all',
      fiftCode: bare,
      codeBoc64,
      texts: new Map([[everyForm, text]]),
    });
    assert.ok(none.methods.every(({ refused, marks }) => refused !== undefined && marks.length === 0));
  });

  it('says that a listing cannot be read', async () => {
    const { codeBoc64 } = await listingOf(everyForm);
    for (const fiftCode of ['PROGRAM{\n f PROC:<{\n  DUP\n', 'PROGRAM{\n DUP\n}END>c']) {
      await assert.rejects(tolkSourceMap({ name: 'all', fiftCode, codeBoc64, texts: new Map() }), {
        code: 'source-map-unreadable',
      });
    }
  });
});
