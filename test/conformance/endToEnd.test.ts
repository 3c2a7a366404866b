// Takes more than 20 s: it packs the package, and runs tests in a browser two times. Of the 20 tests, 17 are alike: one is run.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findBrowser } from '../../scripts/browser.mjs';
import { pace } from '../../scripts/lib/pace.mjs';
import { packLibrary } from '../../scripts/lib/packLibrary.mjs';
import { root } from '../../scripts/lib/root.mjs';
import { freePort } from '../support/freePort';

const execute = promisify(execFile);

interface Result {
  errors: { message: string; location?: { file: string; line: number } }[];
  attachments: { name: string; body?: string }[];
}
interface Suite {
  suites?: Suite[];
  specs?: { title: string; tests: { results: Result[] }[] }[];
}
interface Report extends Suite {
  stats: { expected: number; unexpected: number };
}

/** Tests of gasless payments, and of what is told of wrong ones: they fail on purpose. */
const walletSpec = `import { expect } from 'ton-workbench/playwright';
import { connect, test } from './shop.js';

const ask = (page, method, address) =>
  page.evaluate(
    ([method, address]) => {
      const params = [JSON.stringify({ messages: [{ address, amount: '1000000000' }] })];
      void window.tonWorkbench.tonconnect.send({ method, params, id: String(Date.now()) });
    },
    [method, address],
  );

test('relays tea', async ({ page, wallet, till, sold }) => {
  const before = await sold();
  await connect(page, wallet, till);
  await ask(page, 'signMessage', till);
  await wallet.approve();
  const [first, second] = await wallet.relay(undefined, 'submit-twice');
  await expect(first).toSucceed();
  await expect(second).not.toSucceed();
  expect(await sold()).toBe(before + 1);
});

test.describe('a shorter test', () => {
  test.describe.configure({ timeout: ${8_000 * pace} });
  test('waits in vain', async ({ page, wallet, till }) => {
    await connect(page, wallet, till);
    await ask(page, 'signMessage', till);
    await wallet.approve();
    await wallet.relay();
    await ask(page, 'sendTransaction', 'nobody');
    await expect.poll(() => wallet.answers.length).toBe(3);
    await wallet.approve(); // in vain
  });
});

test('misspells', async ({ page, wallet, till }) => {
  await connect(page, wallet, till);
  await ask(page, 'sendTransaction', till);
  await wallet.approve({ decision: 'rejct' }); // misspelled
});
`;

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
    await writeFile(path.join(project, 'e2e/wallet.spec.js'), walletSpec);
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

  const resultsOf = ({ suites = [], specs = [] }: Suite): [string, Result[]][] => [
    ...suites.flatMap(resultsOf),
    ...specs.map(({ title, tests }): [string, Result[]] => [title, tests.flatMap((one) => one.results)]),
  ];
  /** What a failed test attached. */
  const attached = (results: readonly Result[] = [], name: string): string => {
    const found = results.flatMap(({ attachments }) => attachments).find((one) => one.name === name);
    return Buffer.from(found?.body ?? '', 'base64').toString();
  };
  /** The line of the spec that a failure is told at, and its text. */
  const failure = ([result]: readonly Result[] = []): [line: string | undefined, message: string] => {
    const [{ message = '', location } = {}] = result?.errors ?? [];
    assert.equal(path.basename(location?.file ?? ''), 'wallet.spec.js', message);
    return [walletSpec.split('\n')[(location?.line ?? 0) - 1]?.trim(), message];
  };

  it('passes its tests, each on the network as it was at the start', async () => {
    const { stats, ...report } = await run('--grep', 'sells|buys tea 1$|refuses|relays');
    assert.deepEqual([stats.expected, stats.unexpected], [5, 0], JSON.stringify(report).slice(0, 3_000));
  });

  it('fails when the contract is broken or a test is wrong, with the trace and the reason in the report', async () => {
    const contract = path.join(project, 'contracts/till.tolk');
    const source = await readFile(contract, 'utf8');
    await writeFile(contract, source.replace('>= storage.price)', '> storage.price)'));
    const report = await run('--grep', 'sells tea|waits in vain|misspells');
    assert.deepEqual([report.stats.expected, report.stats.unexpected], [0, 3]);
    const results = new Map(resultsOf(report));
    const paid = attached(results.get('sells tea'), 'trace of request 2');
    assert.match(paid, /^pay [^\n]* 1 TON/);
    assert.match(paid, /402/);
    const page = attached(results.get('sells tea'), 'page of request 2');
    assert.match(page, /^<!DOCTYPE html>[^]*exit code 402/);
    assert.match(page, /<style>[^]*\.stage/, 'its style sheet is in the package');
    const relayed = attached(results.get('waits in vain'), 'trace of request 2, submission 1');
    assert.match(relayed, /^sign for a relayer: pay [^\n]* 1 TON/);
    assert.match(relayed, /402/);
    const [vain, told] = failure(results.get('waits in vain'));
    assert.equal(vain, 'await wallet.approve(); // in vain');
    assert.match(told, /within \d+ ms; request 3 \(sendTransaction\) was refused at once with code 1: /);
    const [misspelled, known] = failure(results.get('misspells'));
    assert.equal(misspelled, "await wallet.approve({ decision: 'rejct' }); // misspelled");
    assert.match(known, /"rejct" is not a decision\. Give one of these: approve, reject,/);
  });
});
