#!/usr/bin/env node
// Stands in for the VS Code executable that @vscode/test-electron starts: takes its flags, runs the suite in the web
// host, and ends with the suite's exit code (124 when the time is up).
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import util from 'node:util';
import { launchBrowser } from './browser.mjs';
import { endProcess, onEnd } from './lib/cleanUp.mjs';
import { isNoise } from './lib/noise.mjs';
import { pace } from './lib/pace.mjs';
import { root } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { startWebHost } from './webHost.mjs';

/** @param {string} name */
const flags = (name) =>
  process.argv.filter((arg) => arg.startsWith(`--${name}=`)).map((arg) => arg.slice(name.length + 3));

/** @typedef {{ relativePath: string, contents: string }} LogFile */

/**
 * @param {LogFile[]} logs handed over by the editor at the end
 * @param {string} serverLog
 */
const saveLogs = async (logs, serverLog) => {
  const folder = path.join(root, 'test-results/host-logs');
  for (const { relativePath, contents } of [...logs, { relativePath: 'server.log', contents: serverLog }]) {
    const file = path.join(folder, path.normalize(relativePath).replace(/^([/\\]|\.\.[/\\])+/, ''));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, contents);
  }
  say(`The editor's logs are in ${path.relative(root, folder)}.`);
};

/**
 * @param {unknown} type
 * @param {unknown[]} args console arguments, not yet formatted
 */
const print = (type, args) => {
  const text = util.format(...args);
  if (!isNoise(text)) {
    (type === 'error' || type === 'warn' ? process.stderr : process.stdout).write(`${text}\n`);
  }
};

const run = async () => {
  const folder = process.argv.slice(2).find((arg) => !arg.startsWith('--'));
  const [tests] = flags('extensionTestsPath');
  const [extension] = flags('extensionDevelopmentPath');
  if (folder === undefined || tests === undefined) {
    throw new Error('The launcher needs a folder and --extensionTestsPath.');
  }
  // @vscode/test-electron always asks for trust; the restricted pass of the host tier takes it back.
  const trust =
    process.env['TONWB_RESTRICTED'] === undefined && process.argv.includes('--disable-workspace-trust');
  const host = await startWebHost({ trust, gallery: false });
  const browser = await launchBrowser();
  onEnd(() => browser.close());
  const page = await browser.newPage();
  await page.exposeFunction('codeAutomationLog', print);
  /** @type {Promise<[number, LogFile[]]>} */
  const ended = new Promise((resolve) => {
    void page.exposeFunction(
      'codeAutomationExit',
      (/** @type {number} */ code, /** @type {LogFile[]} */ logs) => resolve([code, logs]),
    );
    page.once('crash', () => resolve([1, []]));
    const limit = 420_000 * pace;
    setTimeout(() => {
      say(`The suite did not end within ${limit / 1000} s.`);
      resolve([124, []]);
    }, limit).unref();
  });
  await page.goto(host.address({ folder, tests, ...(extension === undefined ? {} : { extension }) }));
  const [code, logs] = await ended;
  if (code !== 0) {
    await saveLogs(logs, host.log());
  }
  return code;
};

try {
  await endProcess(await run());
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  await endProcess(1);
}
