import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findNode } from '../../../src/toolkit/testRuns/findNode';

describe('the Node.js that runs tests', () => {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'ton-workbench-node-'));
    await mkdir(path.join(folder, 'bin'));
    await mkdir(path.join(folder, 'other', name), { recursive: true });
    await writeFile(path.join(folder, 'bin', name), '');
    await chmod(path.join(folder, 'bin', name), 0o700);
  });
  after(() => rm(folder, { recursive: true }));

  it("is that of the user's search path, without what the editor adds to the environment", () => {
    const PATH = ['relative', path.join(folder, 'other'), path.join(folder, 'bin')].join(path.delimiter);
    const found = findNode({ PATH, HOME: '/home', VSCODE_PID: '1', ELECTRON_RUN_AS_NODE: '1' }, '/own');
    assert.deepEqual(found, {
      node: path.join(folder, 'bin', name),
      environment: { PATH, HOME: '/home' },
    });
  });

  it("is the editor's own, told to run a script, if there is no other", () => {
    const PATH = [path.join(folder, 'other'), folder].join(path.delimiter);
    assert.deepEqual(findNode({ PATH, VSCODE_PID: '1' }, '/own'), {
      node: '/own',
      environment: { PATH, ELECTRON_RUN_AS_NODE: '1' },
    });
  });
});
