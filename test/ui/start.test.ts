// Takes more than 20 s: each test starts the editor as a user does, which builds the project and opens a window.
import type { ChildProcess } from 'node:child_process';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endProcessTree, isRunning, processTree } from '../../scripts/lib/processTree.mjs';
import { root } from '../../scripts/lib/root.mjs';
import { patience } from './support/patience';
import { newContext } from './support/windowPage';

describe('npm start -- --web', () => {
  let start: ChildProcess;
  let output = '';
  let family: number[] = [];

  const running = async (): Promise<number[]> => {
    const answers = await Promise.all(family.map(isRunning));
    return family.filter((_, index) => answers[index]);
  };

  const begin = async (args: string[], env: NodeJS.ProcessEnv = {}): Promise<void> => {
    output = '';
    start = spawn(process.execPath, [path.join(root, 'scripts/start.mjs'), '--web', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, npm_lifecycle_event: undefined, ...env },
    });
    start.stderr?.resume();
    start.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
    while (!output.includes('\n')) {
      assert.equal(start.exitCode, null, 'it runs');
      await sleep(100);
    }
  };
  afterEach(async () => {
    if (start.pid !== undefined && start.exitCode === null && start.signalCode === null) {
      await endProcessTree(start.pid);
    }
  });

  /** Opens the window, so that there is an extension host too, with the local network in it. */
  const openWindow = async (): Promise<void> => {
    const context = await newContext();
    try {
      const page = await context.newPage();
      await page.goto(output.trim());
      await page.locator('.statusbar-item', { hasText: 'TON' }).first().waitFor();
      family = await processTree(start.pid ?? 0);
    } finally {
      await context.close();
    }
  };

  /** Opens the window and ends the editor with a signal. */
  const endWith = async (signal: NodeJS.Signals): Promise<void> => {
    await openWindow();
    assert.match(
      output,
      /^http:\/\/127\.0\.0\.1:\d+\/\?tkn=[\w-]{32}&folder=\S+%2Fexamples&payload=\S+\n$/,
      'it prints only the address',
    );
    assert.ok(family.length >= 3, 'the server and its extension host are running');
    start.kill(signal);
    await once(start, 'exit');
    assert.deepEqual(await running(), []);
    await assert.rejects(fetch(output.trim()), 'nothing answers any more');
  };

  it('prints only the address, and leaves no process behind after SIGINT', async () => {
    await begin(['--no-open']);
    await endWith('SIGINT');
  });

  it('opens the browser through a private page, because command lines are public, and leaves nothing behind after SIGTERM', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tonwb-open-'));
    try {
      const opened = path.join(folder, 'opened');
      await writeFile(path.join(folder, 'xdg-open'), `#!/bin/sh\necho "$@" > ${opened}\n`, { mode: 0o755 });
      await begin([], { PATH: `${folder}${path.delimiter}${process.env['PATH']}` });
      let page = '';
      while (!page.endsWith('\n')) {
        assert.equal(start.exitCode, null, 'it runs');
        await sleep(100);
        page = await readFile(opened, 'utf8').catch(() => '');
      }
      const address = output.trim();
      const token = new URL(address).searchParams.get('tkn') ?? '';
      assert.ok(token.length > 0 && !page.includes(token), page);
      const file = fileURLToPath(page.trim());
      assert.equal((await stat(file)).mode & 0o077, 0);
      assert.ok((await readFile(file, 'utf8')).includes(`url=${address.replaceAll('&', '&amp;')}"`));
      await endWith('SIGTERM');
      await assert.rejects(stat(file), 'the page is gone with the editor');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('ends the server even if it is killed itself', async () => {
    await begin(['--no-open']);
    await openWindow();
    start.kill('SIGKILL');
    // The extension host gives its extensions time to stop, and does so slowly on a busy machine.
    const end = Date.now() + patience;
    while ((await running()).length > 0 && Date.now() < end) {
      await sleep(100);
    }
    assert.deepEqual(await running(), []);
  });
});
