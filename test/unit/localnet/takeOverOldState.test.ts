import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FolderLock } from '../../../src/toolkit/base/journal/folderLock';
import { takeOverOldState } from '../../../src/toolkit/localnet/folder/takeOverOldState';
import { stateInUseError } from '../../../src/toolkit/localnet/storage/stateStore';

describe('the state of an earlier version', () => {
  let root: string;
  let directory: string;
  const storage = (id: string): string => path.join(root, 'workspaceStorage', id, 'ton-workbench');
  const keep = (id: string, name: string, content: string): void => {
    const folder = path.join(storage(id), name);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'journal.log'), content);
  };
  const kept = (name: string): string => fs.readFileSync(path.join(directory, name, 'journal.log'), 'utf8');

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(tmpdir(), 'tonwb-old-'));
    directory = path.join(root, 'globalStorage/localNetworks/1');
    fs.mkdirSync(directory, { recursive: true });
  });
  afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

  it('is moved once, with its fork, and never over a newer one', async () => {
    keep('38ea', 'localNetwork', 'own');
    keep('38ea', 'localNetworkFork', 'fork');
    assert.equal(await takeOverOldState(storage('38ea'), directory), storage('38ea'));
    assert.deepEqual([kept('localNetwork'), kept('localNetworkFork')], ['own', 'fork']);
    assert.deepEqual(fs.readdirSync(path.join(directory, 'localNetwork')), ['journal.log']);
    keep('38ea', 'localNetwork', 'later');
    assert.equal(await takeOverOldState(storage('38ea'), directory), undefined);
    assert.equal(kept('localNetwork'), 'own');
  });

  it('is found by a window whose own storage the editor had to replace', async () => {
    keep('38ea', 'localNetwork', 'own');
    assert.equal(await takeOverOldState(storage('38ea-5a71-1'), directory), storage('38ea'));
    assert.equal(kept('localNetwork'), 'own');
  });

  it('is not taken from a window that is using it', async () => {
    keep('38ea', 'localNetwork', 'own');
    const folder = path.join(storage('38ea'), 'localNetwork');
    const lock = await FolderLock.take(folder, { inUse: (holder) => stateInUseError(folder, holder) });
    await assert.rejects(takeOverOldState(storage('38ea'), directory), { code: 'localnet-state-in-use' });
    lock.release();
    assert.equal(fs.existsSync(path.join(directory, 'localNetwork')), false);
    assert.ok(fs.existsSync(path.join(folder, 'journal.log')));
  });

  it('does not exist in a new folder', async () => {
    assert.equal(await takeOverOldState(storage('38ea'), directory), undefined);
  });
});
