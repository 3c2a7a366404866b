import assert from 'node:assert/strict';
import fs from 'node:fs';
import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { beginCell } from '@ton/core';
import { runCommandLine } from '../../../src/cli/commandLine';
import { openToolHost } from '../../../src/cli/openToolHost';
import { Toolbox, answerSchema, answerText } from '../../../src/toolkit/tools/toolbox';
import { toolTable } from '../../../src/toolkit/tools/toolTable';
import { counterSource } from '../../support/counterSource';
import { HastyClock } from '../../support/hastyClock';

const runs = process.env['TONWB_LONG'] === '1' ? 10_000 : 250;
const marker = 'MARKER-OF-A-FILE-OUTSIDE';

describe('the tools with any input', () => {
  let place: string;
  let box: Toolbox;
  /** Files outside the root that were opened. */
  const opened = new Set<string>();
  const { openSync, readFileSync } = fs;

  before(async () => {
    place = await realpath(await mkdtemp(path.join(tmpdir(), 'tonwb-fuzz-')));
    const root = path.join(place, 'root');
    const outside = path.join(place, 'outside');
    const files = {
      [`${outside}/secret.tolk`]: `const ${marker.replaceAll('-', '_')} = 1;\n${marker}`,
      [`${outside}/secret.boc`]: beginCell().storeStringTail(marker).endCell().toBoc(),
      [`${outside}/secret.toncall`]: marker,
      [`${root}/package.json`]: '{}',
      [`${root}/counter.tolk`]: counterSource(1),
      [`${root}/imports.tolk`]: 'import "../outside/secret"\nfun onInternalMessage(in: InMessage) {}\n',
      [`${root}/code.boc`]: beginCell().storeUint(7, 8).endCell().toBoc(),
      [`${root}/reads.toncall`]: `network local\ncall alice get cell file "../outside/secret.boc"\n`,
    };
    for (const [file, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text);
    }
    await symlink(outside, path.join(root, 'link'), 'junction');
    const watch = (file: unknown): void => {
      if (typeof file === 'string' && fs.existsSync(file) && fs.realpathSync(file).startsWith(outside)) {
        opened.add(file);
      }
    };
    fs.openSync = (...given) => {
      watch(given[0]);
      return openSync(...given);
    };
    fs.readFileSync = ((...given: Parameters<typeof readFileSync>) => {
      watch(given[0]);
      return readFileSync(...given);
    }) as typeof readFileSync;
    syncBuiltinESMExports();
    // Nothing listens there.
    const environment = { TON_LOCAL_V2: 'http://127.0.0.1:1/api/v2', TON_CACHE_FOLDER: '' };
    const here = { root, networks: [], environment, clock: new HastyClock(), run: runCommandLine };
    box = new Toolbox(toolTable, openToolHost(here));
  });
  after(async () => {
    Object.assign(fs, { openSync, readFileSync });
    syncBuiltinESMExports();
    await rm(place, { recursive: true, force: true });
  });

  const file = fc.constantFrom(
    ...['../outside/secret.boc', 'link/secret.boc', './link/../../outside/secret.tolk', 'link/secret.tolk'],
    ...['../outside/secret.toncall', 'link/secret.toncall', 'counter.tolk', 'imports.tolk', 'code.boc'],
    ...['reads.toncall', '.', '/', '/dev/zero', '', 'a\0b', 'link', 'nothing.tolk#12', 'x.tontests#1'],
  );
  const text = fc.oneof(
    file,
    file.map((one) => path.join(place, 'root', one)),
    file.map((one) => `cell file "${one}"`),
    file.map((one) => `alice 1ton body cell file "${one}"`),
    file.map((one) => `code=${one}`),
    fc.string({ maxLength: 60, unit: 'binary' }),
    fc.constantFrom(
      '--json-schema',
      '--source=link/secret.tolk',
      '-',
      '-1',
      'alice',
      'ab'.repeat(32),
      '[1, (',
    ),
    fc.constantFrom(
      'new 1ton code file "link/secret.boc" data b(u32 0)',
      'a/'.repeat(20_000),
      '{'.repeat(9_000),
    ),
  );
  const names = [
    'contract',
    'file',
    'what',
    'boc',
    'compareWith',
    'abi',
    'source',
    'data',
    'line',
    'address',
  ];
  const value = fc.oneof(
    { weight: 6, arbitrary: text },
    fc.integer(),
    fc.array(text, { maxLength: 3 }),
    fc.jsonValue({ maxDepth: 3 }),
  );
  const call = fc.constantFrom(...toolTable).chain((tool) => {
    const own = Object.keys(tool.input.shape);
    const fields = fc.dictionary(fc.constantFrom(...own, ...own, ...own, ...names), value, { maxKeys: 5 });
    return fc.record({
      name: fc.constant(tool.name),
      input: fc.oneof({ weight: 9, arbitrary: fields }, value),
    });
  });

  it(`never throw, answer in their schema and within 20 KB, and open no file outside the root (${runs} calls)`, async () => {
    let done = 0;
    await fc.assert(
      fc.asyncProperty(call, async ({ name, input }) => {
        const answer = await box.call(name, input);
        const told = answerText(name, answer);
        assert.ok(Buffer.byteLength(told) <= 20_480, `${Buffer.byteLength(told)} bytes`);
        assert.notEqual(answer.error?.code, 'internal-error', told);
        assert.ok(!told.includes(marker), told);
        assert.deepEqual([...opened], []);
        answerSchema(box.tools.find((one) => one.name === name)!).parse(answer);
        done += 1;
      }),
      { numRuns: runs },
    );
    assert.equal(done, runs);
  });
});
