// Takes more than 20 s: it packs the package, and runs tests in a browser two times. Of the 20 tests, 17 are alike: one is run.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findBrowser } from '../../scripts/browser.mjs';
import { packLibrary } from '../../scripts/lib/packLibrary.mjs';
import { root } from '../../scripts/lib/root.mjs';
import { freePort } from '../support/freePort';

const execute = promisify(execFile);

interface Suite {
  suites?: Suite[];
  specs?: { title: string; tests: { results: { attachments: { name: string; body?: string }[] }[] }[] }[];
}
interface Report extends Suite {
  stats: { expected: number; unexpected: number };
}

/** The example's packages, as if its project had installed them. */
const packages = ['@playwright', '@ton', '@tonconnect', 'playwright', 'playwright-core', 'vite'];

describe('end-to-end tests of a dApp, in a project of its own', () => {
  let project: string;

  before(async () => {
    project = await mkdtemp(path.join(tmpdir(), 'ton-workbench-dapp-'));
    const { file } = await packLibrary(path.join(project, 'packed'));
    await writeFile(path.join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
    const options = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
    await execute('npm', ['install', file, ...options], { cwd: project });
    const modules = path.join(project, 'node_modules');
    await mkdir(path.join(modules, '.bin'), { recursive: true });
    for (const name of packages) {
      await symlink(path.join(root, 'node_modules', name), path.join(modules, name));
    }
    await symlink(path.join(root, 'node_modules/vite/bin/vite.js'), path.join(modules, '.bin/vite'));
    const example = path.join(root, 'examples/dapp');
    for (const name of ['index.html', 'src', 'public', 'contracts', 'e2e', 'playwright.config.js']) {
      await cp(path.join(example, name), path.join(project, name), { recursive: true });
    }
  });
  after(() => rm(project, { recursive: true, force: true }));

  const run = async (...args: string[]): Promise<Report> => {
    const { executablePath, env } = await findBrowser();
    const cli = path.join(root, 'node_modules/@playwright/test/cli.js');
    const port = await freePort();
    await execute(process.execPath, [cli, 'test', ...args], {
      cwd: project,
      env: { ...process.env, ...env, CHROMIUM: executablePath, PORT: String(port) },
    }).catch(() => undefined);
    const text = await readFile(path.join(project, 'test-results/report.json'), 'utf8');
    return JSON.parse(text) as Report;
  };

  it('passes its tests, each on the network as it was at the start', async () => {
    const { stats, ...report } = await run('--grep', 'sells|buys tea 1$|refuses');
    assert.deepEqual([stats.expected, stats.unexpected], [4, 0], JSON.stringify(report).slice(0, 3_000));
  });

  it('fails when the contract is broken, with the trace in the report', async () => {
    const contract = path.join(project, 'contracts/till.tolk');
    const source = await readFile(contract, 'utf8');
    await writeFile(contract, source.replace('>= storage.price)', '> storage.price)'));
    const { stats, suites = [] } = await run('--grep', 'sells tea');
    assert.deepEqual([stats.expected, stats.unexpected], [0, 1]);
    const attached = suites
      .flatMap(({ specs = [] }) => specs)
      .flatMap(({ tests }) => tests.flatMap(({ results }) => results.flatMap((one) => one.attachments)))
      .find(({ name }) => name === 'trace of request 2');
    const text = Buffer.from(attached?.body ?? '', 'base64').toString();
    assert.match(text, /^pay [^\n]* 1 TON/);
    assert.match(text, /402/);
  });
});
