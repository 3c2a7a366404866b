import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Processes } from '../../../src/toolkit/base/journal/processMark';
import {
  findLocalNetwork,
  removeLocalNetworkFile,
  writeLocalNetworkFile,
} from '../../../src/toolkit/localnet/folder/localNetworkFile';
import { itOnPosix } from '../../support/itOnPosix';

const urls = { v2: 'http://127.0.0.1:41545/api/v2', v3: 'http://127.0.0.1:41545/api/v3' };

/** A process of this machine; the given ones have ended. */
const processAs = (pid: number, ended: number[] = []): Processes => ({
  self: () => ({ pid, started: '1', machine: 'here' }),
  state: (mark) => (ended.includes(mark.pid) ? 'gone' : 'running'),
});

describe('.ton/local.json', () => {
  let folder: string;
  const file = (): string => path.join(folder, '.ton/local.json');

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(tmpdir(), 'tonwb-file-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('names the network of the folder, even from below it, until it is removed', () => {
    const below = path.join(folder, 'scripts/deep');
    fs.mkdirSync(below, { recursive: true });
    assert.equal(findLocalNetwork(below, processAs(1)), undefined);
    writeLocalNetworkFile(folder, urls, processAs(1));
    assert.deepEqual(findLocalNetwork(below, processAs(2)), urls);
    removeLocalNetworkFile(folder, processAs(1));
    assert.equal(findLocalNetwork(below, processAs(2)), undefined);
    assert.deepEqual(fs.readdirSync(path.join(folder, '.ton')), ['.gitignore']);
  });

  it('is ignored by git without touching what the user wrote', () => {
    writeLocalNetworkFile(folder, urls, processAs(1));
    const ignore = path.join(folder, '.ton/.gitignore');
    assert.equal(fs.readFileSync(ignore, 'utf8'), '*\n');
    fs.writeFileSync(ignore, 'local.json\n');
    writeLocalNetworkFile(folder, urls, processAs(1));
    assert.equal(fs.readFileSync(ignore, 'utf8'), 'local.json\n');
  });

  it('stays if another process has written it since', () => {
    writeLocalNetworkFile(folder, urls, processAs(1));
    writeLocalNetworkFile(folder, urls, processAs(2));
    removeLocalNetworkFile(folder, processAs(1));
    assert.deepEqual(findLocalNetwork(folder, processAs(3)), urls);
  });

  it('names the second network of the folder once the first has stopped or ended', () => {
    const second = { v2: 'http://127.0.0.1:2/api/v2', v3: 'http://127.0.0.1:2/api/v3' };
    writeLocalNetworkFile(folder, urls, processAs(1));
    writeLocalNetworkFile(folder, second, processAs(2), 'last');
    assert.deepEqual(findLocalNetwork(folder, processAs(3)), urls);
    assert.deepEqual(findLocalNetwork(folder, processAs(3, [1])), second, 'the first has crashed');
    removeLocalNetworkFile(folder, processAs(1));
    assert.deepEqual(findLocalNetwork(folder, processAs(3)), second);
    // One that begins in the editor comes first, and leaves the other one in its place.
    writeLocalNetworkFile(folder, urls, processAs(4));
    assert.deepEqual(findLocalNetwork(folder, processAs(3)), urls);
    removeLocalNetworkFile(folder, processAs(4));
    assert.deepEqual(findLocalNetwork(folder, processAs(3)), second);
    removeLocalNetworkFile(folder, processAs(2));
    assert.equal(fs.existsSync(file()), false);
  });

  it('does not count once its process has ended', () => {
    writeLocalNetworkFile(folder, urls, processAs(1));
    assert.equal(findLocalNetwork(folder, processAs(2, [1])), undefined);
  });

  it('does not lead away from this machine', () => {
    fs.mkdirSync(path.dirname(file()));
    for (const v2 of [
      'https://127.0.0.1:1/api/v2',
      'http://10.0.0.1/api/v2',
      'http://127.0.0.1.example.org/api/v2',
      'http://a:b@127.0.0.1/api/v2',
      'file:///etc/passwd',
      7,
    ]) {
      fs.writeFileSync(file(), JSON.stringify({ ...urls, v2 }));
      assert.equal(findLocalNetwork(folder), undefined, String(v2));
    }
    fs.writeFileSync(file(), '{');
    assert.equal(findLocalNetwork(folder), undefined);
    fs.writeFileSync(file(), JSON.stringify(urls));
    assert.deepEqual(findLocalNetwork(folder), urls);
  });

  itOnPosix('is not written through a link', () => {
    const elsewhere = fs.mkdtempSync(path.join(tmpdir(), 'tonwb-file-'));
    fs.symlinkSync(elsewhere, path.join(folder, '.ton'));
    assert.throws(() => writeLocalNetworkFile(folder, urls), /is a link/);
    assert.deepEqual(fs.readdirSync(elsewhere), []);
    fs.rmSync(elsewhere, { recursive: true });
  });
});
