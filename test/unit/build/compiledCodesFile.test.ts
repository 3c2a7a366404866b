import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  readCompiledCodes,
  rememberCompiledCodes,
  shareCompiledCodes,
} from '../../../src/toolkit/build/compiledCodesFile';
import type { CompiledCode } from '../../../src/toolkit/build/compiledCode';
import { limits } from '../../../src/toolkit/base/limits';
import { itOnPosix } from '../../support/itOnPosix';

const code = (number: number, more: Partial<CompiledCode> = {}): CompiledCode => ({
  codeHash: number.toString(16).padStart(64, '0'),
  file: 'contracts/counter.fc',
  name: 'Counter',
  texts: { 'contracts/counter.fc': 'ab' },
  names: { errors: { 501: 'error::closed' }, messages: { 17: 'vote' } },
  by: undefined,
  ...more,
});

describe('.ton/compiled.json', () => {
  let folder: string;
  const file = (): string => path.join(folder, '.ton/compiled.json');

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(tmpdir(), 'tonwb-compiled-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('remembers what was compiled, each code once, out of sight of git', () => {
    assert.deepEqual(readCompiledCodes(folder), []);
    rememberCompiledCodes(folder, [code(1), code(2, { by: '0.1.0' })]);
    rememberCompiledCodes(folder, [code(1, { name: 'Total' })]);
    assert.deepEqual(readCompiledCodes(folder), [code(2, { by: '0.1.0' }), code(1, { name: 'Total' })]);
    assert.deepEqual(fs.readdirSync(path.join(folder, '.ton')).sort(), ['.gitignore', 'compiled.json']);
  });

  it('takes what another program of the folder shares, but is not made for that', () => {
    shareCompiledCodes(folder, [code(1)]);
    assert.deepEqual(fs.readdirSync(folder), []);
    rememberCompiledCodes(folder, [code(2)]);
    shareCompiledCodes(folder, [code(1)]);
    assert.deepEqual(readCompiledCodes(folder), [code(2), code(1)]);
  });

  it('is empty if it is broken, and whole again after the next code', () => {
    for (const content of ['', '{"codes": [', 'null', '[]', '{"codes": 1}', '{"codes": [1, null, {}]}']) {
      fs.mkdirSync(path.dirname(file()), { recursive: true });
      fs.writeFileSync(file(), content);
      assert.deepEqual(readCompiledCodes(folder), [], content);
      rememberCompiledCodes(folder, [code(3)]);
      assert.deepEqual(readCompiledCodes(folder), [code(3)]);
    }
  });

  it('does not lead out of the folder, because anyone can put such a file there', () => {
    const away = ['../other.fc', '/etc/passwd', 'contracts/../../other.fc', '..\\other.fc', '', '..'];
    fs.mkdirSync(path.dirname(file()));
    fs.writeFileSync(
      file(),
      JSON.stringify({ codes: [...away.map((name, index) => code(index, { file: name })), code(9)] }),
    );
    assert.deepEqual(readCompiledCodes(folder), [code(9)]);
  });

  it('is bounded in codes and bytes: the oldest are forgotten first', () => {
    const most = limits.compiledCodes.most;
    const many = Array.from({ length: most + 5 }, (_, index) => code(index));
    rememberCompiledCodes(folder, many);
    assert.deepEqual(readCompiledCodes(folder), many.slice(5));
    const long = {
      texts: Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${at}.fc`, 'c'.repeat(64)])),
    };
    rememberCompiledCodes(
      folder,
      many.map((one) => ({ ...one, ...long })),
    );
    assert.ok(fs.statSync(file()).size <= limits.compiledCodesFile.most);
    assert.equal(readCompiledCodes(folder).at(-1)?.codeHash, many.at(-1)?.codeHash);
    fs.writeFileSync(file(), ' '.repeat(limits.compiledCodesFile.most + 1));
    assert.deepEqual(readCompiledCodes(folder), []);
  });

  itOnPosix('is not written through a link', () => {
    const elsewhere = path.join(folder, 'elsewhere');
    fs.mkdirSync(elsewhere);
    fs.symlinkSync(elsewhere, path.join(folder, '.ton'));
    assert.throws(() => rememberCompiledCodes(folder, [code(1)]), /is a link/);
    assert.deepEqual(fs.readdirSync(elsewhere), []);
  });
});
