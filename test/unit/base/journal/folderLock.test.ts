import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from '../../../../scripts/lib/root.mjs';
import { WorkbenchError } from '../../../../src/toolkit/base/errors';
import { FolderLock } from '../../../../src/toolkit/base/journal/folderLock';
import { systemProcesses } from '../../../../src/toolkit/base/journal/processMark';
import { until } from '../../../support/until';

const inUse = ({ pid }: { pid: number }, state: string): WorkbenchError =>
  new WorkbenchError({ code: 'localnet-state-in-use', kind: 'input', message: `process ${pid}, ${state}` });

/** A process that took, or did not take, the lock. */
interface Taker {
  child: ChildProcess;
  said: string;
  ask: (command: string) => Promise<string>;
  ended: Promise<unknown>;
}

describe('the lock of a folder', () => {
  let folder: string;
  let script: string;
  const children: ChildProcess[] = [];

  before(async () => {
    script = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'tonwb-take-')), 'takeLock.mjs');
    await build({
      entryPoints: [path.join(root, 'test/unit/base/journal/support/takeLock.ts')],
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
    });
  });
  after(() => fs.rmSync(path.dirname(script), { recursive: true }));
  beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tonwb-lock-'))));
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await new Promise((resolve) => child.once('exit', resolve));
      }
    }
    fs.rmSync(folder, { recursive: true, force: true });
  });

  async function taker(...how: 'together'[]): Promise<Taker> {
    const child = spawn(process.execPath, [script, folder, ...how], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const line = (): Promise<string> =>
      new Promise((resolve) => child.stdout.once('data', (text: Buffer) => resolve(text.toString().trim())));
    const said = await line();
    const ask = (command: string): Promise<string> => {
      const answer = line();
      child.stdin.write(`${command}\n`);
      return answer;
    };
    return { child, said, ask, ended };
  }

  it('goes to one of many processes that take it at once, whether new, abandoned, or released', async () => {
    for (const left of [undefined, 'dead process', 'dead successor', 'garbage']) {
      const lock = path.join(folder, 'lock.json');
      fs.rmSync(lock, { force: true });
      // No process has this id: it is above what systems give out.
      const dead = { ...systemProcesses.self(), pid: 2 ** 30, started: '1', token: 'dead' };
      if (left === 'garbage') {
        fs.writeFileSync(lock, 'garbage');
      } else if (left !== undefined) {
        fs.writeFileSync(lock, JSON.stringify(dead));
      }
      if (left === 'dead successor') {
        fs.writeFileSync(path.join(folder, 'lock-dead.next'), JSON.stringify({ ...dead, token: 'dead2' }));
      }
      const takers = await Promise.all(Array.from({ length: 8 }, () => taker('together')));
      const at = Date.now() + 20;
      const said = await Promise.all(takers.map(({ ask }) => ask(String(at))));
      const winners = takers.filter((_, index) => said[index] === 'taken');
      assert.equal(winners.length, 1, `${left}: ${said.join('; ')}`);
      assert.ok(said.every((one) => one === 'taken' || one.startsWith('refused')));
      const [winner] = winners;
      assert.equal(await winner?.ask('held?'), 'held');
      assert.deepEqual(fs.readdirSync(folder), ['lock.json']);
      await winner?.ask('release');
      await winner?.ended;
      assert.deepEqual(fs.readdirSync(folder), []);
    }
  });

  it('stays with a suspended process, however long, and says so', async () => {
    const { child, said, ask } = await taker();
    assert.equal(said, 'taken');
    child.kill('SIGSTOP');
    // As if it had given no sign for an hour.
    const hourAgo = new Date(Date.now() - 3_600_000);
    fs.utimesSync(path.join(folder, 'lock.json'), hourAgo, hourAgo);
    const self = systemProcesses.self();
    const mark = { ...self, pid: child.pid ?? 0, started: '' };
    await until(() => systemProcesses.state(mark) === 'stopped', 'it is suspended');
    assert.equal((await taker()).said, `refused: process ${child.pid}, stopped`);
    child.kill('SIGCONT');
    assert.equal(await ask('held?'), 'held');
  });

  it('is taken over from a killed process, at once and while that is still ending', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { child, said } = await taker();
      assert.equal(said, 'taken', `round ${round}`);
      child.kill('SIGKILL');
    }
    // A zombie: dead, but nobody has asked how it ended.
    const { child } = await taker();
    const { pid } = child;
    child.kill('SIGKILL');
    const lock = await FolderLock.take(folder, { inUse });
    assert.equal(systemProcesses.state({ ...systemProcesses.self(), pid: pid!, started: '' }), 'gone');
    lock.release();
  });

  it('is not held by another process that now has the same id', async () => {
    const self = systemProcesses.self();
    for (const pid of [1, process.ppid, process.pid]) {
      const holder = { ...self, pid, started: '12345', token: `old-${pid}` };
      fs.writeFileSync(path.join(folder, 'lock.json'), JSON.stringify(holder));
      (await FolderLock.take(folder, { inUse })).release();
    }
    const alive = { ...self, pid: process.ppid, started: '', token: 'unknown' };
    fs.writeFileSync(path.join(folder, 'lock.json'), JSON.stringify(alive));
    await assert.rejects(FolderLock.take(folder, { inUse }), { code: 'localnet-state-in-use' });
  });

  it('of another machine or container counts while it sends heartbeats', async () => {
    const file = path.join(folder, 'lock.json');
    fs.writeFileSync(file, JSON.stringify({ pid: 7, started: '1', machine: 'elsewhere', token: 'far' }));
    await assert.rejects(FolderLock.take(folder, { inUse }), { code: 'localnet-state-in-use' });
    const before = new Date(Date.now() - 20_000);
    fs.utimesSync(file, before, before);
    (await FolderLock.take(folder, { inUse })).release();
  });

  it("is lost if its file or folder was deleted, and another's is not removed", async () => {
    const first = await FolderLock.take(folder, { inUse });
    await assert.rejects(FolderLock.take(folder, { inUse }), { code: 'localnet-state-in-use' });
    fs.rmSync(path.join(folder, 'lock.json'));
    assert.throws(() => first.assertHeld(), { code: 'folder-lock-lost' });
    const { child, said, ask } = await taker();
    assert.equal(said, 'taken');
    assert.throws(
      () => first.assertHeld(),
      (error) => WorkbenchError.is(error, 'folder-lock-lost') && error.details.pid === child.pid,
    );
    first.release();
    assert.equal(await ask('held?'), 'held');
    fs.rmSync(folder, { recursive: true });
    assert.equal(await ask('held?'), 'lost');
  });

  it('says where its holder listens, and that a thread of this process crashed', async () => {
    const first = await FolderLock.take(folder, { inUse });
    first.announce(8081);
    assert.ok(first.isHeld);
    await assert.rejects(
      FolderLock.take(folder, {
        inUse: ({ port }) =>
          new WorkbenchError({ code: 'localnet-state-in-use', kind: 'input', message: String(port) }),
      }),
      { message: '8081' },
    );
    const second = await FolderLock.take(folder, { inUse, afterCrash: true });
    assert.ok(!first.isHeld && second.isHeld);
    second.release();
    first.release();
  });

  it('is readable by its owner only', async () => {
    const lock = await FolderLock.take(folder, { inUse });
    assert.equal(fs.statSync(path.join(folder, 'lock.json')).mode & 0o777, 0o600);
    lock.release();
  });
});
