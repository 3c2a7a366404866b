// Takes more than 20 s: receivers are made, run in a terminal, and checked.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { NextFunction, Request, Response } from 'express';
import express from 'express';
import { root } from '../../scripts/lib/root.mjs';
import { freePort } from '../support/freePort';
import { closeServer } from '../unit/webhook/support/receiver';
import { pressLens } from './support/pressLens';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

const secret = 'whsec_ui_receiver_0001';

/** A receiver that believes everything. */
function trusting(): Promise<Server> {
  const app = express();
  app.post('/pay', express.json({ limit: '4mb' }), (_request, response) => {
    response.status(200).end();
  });
  // As express answers by itself, without its words on the console.
  app.use((error: { status?: number }, _request: Request, response: Response, _next: NextFunction) => {
    response.status(error.status ?? 500).end();
  });
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve(server));
  });
}

describe('from a wrong webhook receiver to a right one', () => {
  let workbench: Workbench;
  let wrong: Server;
  let made: ChildProcess | undefined;
  let ran: ChildProcess | undefined;
  let deposits: ChildProcess | undefined;

  /** Runs a made receiver as by hand, until it says that it listens. */
  const runReceiver = async (file: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [file], {
      cwd: workbench.folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (data: Buffer) => {
        if (data.includes('Listening on')) {
          resolve();
        }
      });
      child.once('exit', (code) => reject(new Error(`The receiver ended with ${code}.`)));
    });
    return child;
  };

  /** The first entries of the open list, each with what stands behind it. */
  const offered = async (): Promise<string[]> =>
    (await workbench.quickInput.readItems()).map(({ label, description }) => `${label}: ${description}`);
  const check = async (url: string): Promise<void> => {
    await workbench.runCommand('TON: Check My Webhook Endpoint…');
    await workbench.quickInput.asks('TON: Check My Webhook Endpoint');
    await workbench.quickInput.fill(url);
  };

  before(async () => {
    wrong = await trusting();
    const folder = await mkdtemp(path.join(tmpdir(), 'tonwb-shop-'));
    await writeFile(path.join(folder, 'package.json'), '{ "dependencies": { "express": "5" } }\n');
    workbench = await openWorkbench({
      folder,
      // Its text can be read.
      settings: { 'terminal.integrated.gpuAcceleration': 'off' },
    });
    await rm(folder, { recursive: true });
  });
  after(async () => {
    made?.kill();
    ran?.kill();
    deposits?.kill();
    await workbench?.close();
    await closeServer(wrong);
  });

  it('offers to make one where there is none yet', async () => {
    const view = await workbench.showView('Webhooks');
    for (const other of ['Contracts', 'Traces', 'Local Network']) {
      await workbench.view(other).collapse();
    }
    assert.match(await view.welcomeText(), /make a receiver/);
    await workbench.screenshot('webhook receiver empty view dark');
  });

  it('shows below the broken rules the code that keeps them, for the framework in package.json', async () => {
    await check(`http://127.0.0.1:${(wrong.address() as AddressInfo).port}/pay`);
    await workbench.quickInput.pick('Paste a secret');
    await workbench.quickInput.asks('Name of the Webhook Secret');
    await workbench.quickInput.fill('shop');
    await workbench.quickInput.asks('TON: Secret shop');
    await workbench.quickInput.fill(secret);
    await workbench.quickInput.pick('A sample payment');
    await workbench.editor.waitForTitle(/check 127.0.0.1/);
    await workbench.editor.lens(/^Fixes for Express; switch…$/).waitFor();
    await workbench.inBothThemes('webhook fixes');
    await workbench.setPictureTheme('hcDark');
    await workbench.screenshot('webhook fixes high contrast');
    await workbench.setPictureTheme('dark');
    const text = await workbench.openDocumentText();
    assert.match(text, /✗ refuse another secret's signature with 401 [^]*? {4}→ fix 1 below\n/);
    assert.match(text, /\n {2}fix 1 for Express: refuse another secret's signature with 401\n/);
    assert.match(text, /\n {4}function isGenuine\(body, headers, secret\) \{\n/);
    assert.match(text, /\n {4}if \(!isGenuine\(body, headers, secret\)\) \{\n {6}return 401;\n/);
    // What only follows from the first rule has no fix of its own.
    assert.doesNotMatch(text, /for Express: .*refuse a changed body/);
  });

  it('copies a fix, whole and without the indentation', async () => {
    await workbench.page.keyboard.press('ControlOrMeta+End');
    const lens = workbench.editor.lens('Copy Fix');
    await lens.waitFor();
    await workbench.screenshot('webhook fixes end dark');
    await pressLens(lens, workbench.statusBar.item('Copied the fix'));
    const code = await workbench.page.evaluate(() => navigator.clipboard.readText());
    assert.match(code, /^import express from 'express';\n\n[^]*\nexport function createReceiver/);
  });

  it('changes to another framework, which is remembered', async () => {
    await workbench.runCommand('TON: Choose Webhook Framework…');
    await workbench.quickInput.asks('TON: Framework of Webhook Fixes');
    assert.match((await offered())[0] ?? '', /^Express: in package\.json/);
    await workbench.quickInput.pick('Fastify');
    await workbench.page.locator('.view-line', { hasText: /fix.\d.for.Fastify/ }).waitFor();
    assert.match(
      await workbench.openDocumentText(),
      /\n {2}fix 1 for Fastify: [^]*import fastify from 'fastify';/,
    );
  });

  it('makes a receiver with its test, and says what comes next', async () => {
    await workbench.runCommand('TON: New Webhook Receiver…');
    await workbench.quickInput.asks('TON: New Webhook Receiver (1/3)');
    assert.doesNotMatch((await offered()).join('\n'), /chosen before/, 'nothing was');
    assert.deepEqual(
      (await workbench.quickInput.readItems()).map(({ label }) => label),
      ['TON Pay', 'TONAPI', 'Bicycle', 'Standard Webhooks', 'HMAC (sha256, hex, X-Signature)…'],
    );
    await workbench.screenshot('webhook receiver service dark');
    await workbench.quickInput.pick('TON Pay');
    await workbench.quickInput.asks('(2/3)');
    assert.match((await offered())[0] ?? '', /^Fastify: chosen before/);
    await workbench.screenshot('webhook receiver framework dark');
    await workbench.quickInput.pick('Express');
    await workbench.quickInput.asks('(3/3)');
    await workbench.quickInput.type('../receiver.mjs');
    assert.match(await workbench.quickInput.errorText(), /inside the folder/);
    await workbench.quickInput.fill('receiver.mjs');
    await workbench.messages.notification(/Made receiver\.mjs and its test\. It needs express\./).waitFor();
    await workbench.editor.waitForTitle('receiver.mjs');
    await workbench.inBothThemes('webhook receiver made');
    assert.match(await readFile(path.join(workbench.folder, 'receiver.test.mjs'), 'utf8'), /node:test/);
    await workbench.messages.clearNotifications();
  });

  it('replaces nothing without asking', async () => {
    const file = path.join(workbench.folder, 'receiver.mjs');
    const before = await readFile(file, 'utf8');
    await writeFile(path.join(workbench.folder, 'receiver.test.mjs'), '// mine\n');
    await workbench.runCommand('TON: New Webhook Receiver…');
    await workbench.quickInput.asks('(1/3)');
    assert.match((await offered())[0] ?? '', /^TON Pay: X-Pay-Signature, chosen before/);
    await workbench.quickInput.pick('TON Pay');
    await workbench.quickInput.pick('Hono');
    await workbench.quickInput.asks('(3/3)');
    await workbench.quickInput.fill('receiver.mjs');
    const dialog = await workbench.messages.dialog();
    assert.match(dialog.detail, /receiver\.mjs, receiver\.test\.mjs/);
    await workbench.messages.pressInDialog('Cancel');
    assert.equal(await readFile(file, 'utf8'), before);
    assert.equal(await readFile(path.join(workbench.folder, 'receiver.test.mjs'), 'utf8'), '// mine\n');
  });

  it('runs one in a terminal with a test secret, and checks it', async () => {
    await symlink(path.join(root, 'node_modules'), path.join(workbench.folder, 'node_modules'));
    await workbench.runCommand('TON: New Webhook Receiver…');
    await workbench.quickInput.pick('TON Pay');
    await workbench.quickInput.pick('Fastify');
    await workbench.quickInput.asks('(3/3)');
    await workbench.quickInput.fill('run-here.mjs');
    await workbench.messages.pressInNotification(/Made run-here\.mjs and its test/, 'Run');
    const said = await workbench.messages.waitForNotification(/run-here\.mjs runs in the terminal, at /);
    await workbench.page
      .locator('.xterm-rows', { hasText: /WEBHOOK_SECRET holds the test secret named “receiver”\./ })
      .waitFor();
    await workbench.screenshot('webhook receiver runs dark');
    // This editor has no processes in its terminals: it is run here, with what the terminal has.
    await workbench.runCommand('TON: Webhook Secrets…');
    await workbench.quickInput.pick('Copy Test Secret…');
    await workbench.statusBar.item('Copied the test secret named “receiver”').waitFor();
    const port = /:(\d+)\/webhook/.exec(said)?.[1];
    ran = await runReceiver('run-here.mjs', {
      PORT: port,
      WEBHOOK_SECRET: await workbench.page.evaluate(() => navigator.clipboard.readText()),
    });
    await workbench.messages.pressInNotification(/run-here\.mjs runs in the terminal/, 'Check');
    await workbench.quickInput.pick('receiver');
    await workbench.quickInput.pick('A sample payment');
    await workbench.editor.waitForTitle(new RegExp(`check 127.0.0.1:${port}`));
    assert.match(await workbench.openDocumentText(), /^✓ .*\/webhook follows all 19 rules\n/);
    await workbench.screenshot('webhook receiver run and checked dark');
  });

  it('is offered for a check from now on, first while it listens', async () => {
    await workbench.runCommand('TON: Check My Webhook Endpoint…');
    await workbench.quickInput.asks('TON: Check My Webhook Endpoint');
    // Rows that were used before keep a detail that is not shown.
    const [first = ''] = await offered();
    assert.match(first, /^http:\/\/127\.0\.0\.1:\d+\/webhook: listens/);
    await workbench.screenshot('webhook receiver offered dark');
    await workbench.quickInput.type('localhost:1/webhook');
    await workbench.quickInput.row('http://localhost:1/webhook').waitFor();
    await workbench.quickInput.type('shop');
    await workbench.quickInput
      .row(/A webhook needs an http or https URL\. Give one like http:\S+webhook\.$/)
      .waitFor();
    await workbench.page.keyboard.press('Escape');
    await workbench.quickInput.closed();
  });

  it('which follows every rule', async () => {
    const port = await freePort();
    made = await runReceiver('receiver.mjs', { PORT: String(port), WEBHOOK_SECRET: secret });
    await check(`http://127.0.0.1:${port}/webhook`);
    await workbench.quickInput.pick('shop');
    await workbench.quickInput.pick('A sample payment');
    await workbench.editor.waitForTitle(new RegExp(`check 127.0.0.1:${port}`));
    const text = await workbench.openDocumentText();
    assert.match(text, /^✓ .*\/webhook follows all 19 rules\n/);
    assert.doesNotMatch(text, /fix 1/);
    await workbench.screenshot('webhook receiver passes dark');
  });

  it('makes one for another service, and checks it as that service delivers', async () => {
    await workbench.runCommand('TON: New Webhook Receiver…');
    await workbench.quickInput.pick('Bicycle');
    await workbench.quickInput.pick('Fastify');
    await workbench.quickInput.asks('(3/3)');
    await workbench.quickInput.fill('deposits.mjs');
    await workbench.messages.notification(/Made deposits\.mjs and its test\./).waitFor();
    await workbench.editor.waitForTitle('deposits.mjs');
    const text = await readFile(path.join(workbench.folder, 'deposits.mjs'), 'utf8');
    assert.match(text, /^\/\/ Receives webhooks of Bicycle\. [^]*webhook check --provider bicycle --url/);
    await workbench.messages.clearNotifications();
    const port = await freePort();
    deposits = await runReceiver('deposits.mjs', { PORT: String(port), WEBHOOK_SECRET: secret });
    await check(`http://127.0.0.1:${port}/webhook`);
    await workbench.quickInput.pick('shop');
    assert.match((await offered()).at(-1) ?? '', /Deliveries of another service….*: now Bicycle/);
    await workbench.screenshot('webhook check of another service dark');
    await workbench.quickInput.pick('A sample payment');
    await workbench.editor.waitForTitle(new RegExp(`check 127.0.0.1:${port}`));
    const report = await workbench.openDocumentText();
    assert.match(report, /^✓ .*\/webhook follows all 10 rules\n/);
    assert.match(report, /answer a repeat with exactly 200/);
    // The one for the payment service breaks its rules.
    await check(`http://127.0.0.1:${port}/webhook`);
    await workbench.quickInput.pick('shop');
    await workbench.quickInput.pick('Deliveries of another service…');
    await workbench.quickInput.pick('TON Pay');
    assert.match((await offered()).at(-1) ?? '', /: now TON Pay/);
    await workbench.quickInput.pick('A sample payment');
    await workbench.page.locator('.view-line', { hasText: /breaks\s\d+\sof\s19\srules/ }).waitFor();
  });
});
