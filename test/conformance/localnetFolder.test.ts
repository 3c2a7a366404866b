import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callControl } from '../../src/toolkit/localnet/callControl';
import { changeFolderRecord, readFolderRecord } from '../../src/toolkit/localnet/folder/folderRecord';
import type { FolderNetwork } from '../../src/toolkit/localnet/folder/hostOrAttach';
import { hostOrAttach } from '../../src/toolkit/localnet/folder/hostOrAttach';
import { silentLog } from '../../src/toolkit/base/log';
import { freePort } from '../support/freePort';

const address = `0:${'7a'.repeat(32)}`;

describe('the local network of a folder', () => {
  let directory: string;
  let port: number;
  const running = new Set<FolderNetwork>();

  const start = async (): Promise<FolderNetwork> => {
    const network = await hostOrAttach(directory, {
      port,
      openFork: () => Promise.reject(new Error('no fork was asked for')),
      log: silentLog,
    });
    running.add(network);
    return network;
  };
  const stop = async (network: FolderNetwork): Promise<void> => {
    running.delete(network);
    await network.close();
  };
  const nameOf = async ({ localnet }: FolderNetwork): Promise<string | undefined> =>
    (await callControl(localnet.control, 'status', {})).names?.[address];
  const name = ({ localnet }: FolderNetwork): Promise<unknown> =>
    callControl(localnet.control, 'name', { address, name: 'Vault' });

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'tonwb-folder-'));
    port = await freePort();
  });
  afterEach(async () => {
    await Promise.all([...running].map(stop));
    await rm(directory, { recursive: true, force: true });
  });

  it('is shared by everyone who opens it, and continues in another process when its own ends', async () => {
    const [first, second] = await Promise.all([start(), start()]);
    assert.deepEqual([first.isShared, second.isShared].sort(), [false, true]);
    assert.deepEqual([first.localnet.port, second.localnet.port], [port, port]);
    await name(first);
    assert.equal(await nameOf(second), 'Vault');
    const host = first.isShared ? second : first;
    await stop(host);
    const next = await start();
    assert.equal(next.isShared, false);
    assert.equal(next.localnet.port, port);
    assert.equal(await nameOf(next), 'Vault');
  });

  it('keeps the port it got when the usual one was taken', async () => {
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve));
    const first = await start();
    const own = first.localnet.port;
    assert.notEqual(own, port);
    assert.equal(first.isPortNew, true);
    await stop(first);
    const again = await start();
    assert.deepEqual([again.localnet.port, again.isPortNew], [own, false]);
    await stop(again);
    // The port stays the same even after the usual one is free again.
    await new Promise((resolve) => squatter.close(resolve));
    const third = await start();
    assert.equal(third.localnet.port, own);
    await stop(third);
    // A different requested port takes effect again.
    port = await freePort();
    assert.equal((await start()).localnet.port, port);
  });

  it('is waited for while another process is stopping it', async () => {
    const host = await start();
    changeFolderRecord(directory, { isOn: false });
    const next = start();
    await stop(host);
    assert.equal((await next).isShared, false);
    assert.equal(readFolderRecord(directory).isOn, true);
  });
});
