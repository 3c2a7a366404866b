import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { packLibrary } from '../../scripts/lib/packLibrary.mjs';
import { pace } from '../../scripts/lib/pace.mjs';
import { root } from '../../scripts/lib/root.mjs';
import { version } from '../../package.json';

const execute = promisify(execFile);
const document = path.join(root, 'docs/library.md');

/** What the consumer's project has besides the package: as if it had installed them. */
const developmentTools = [
  '@playwright',
  'playwright',
  'playwright-core',
  '@jest',
  '@types',
  'express',
  'jest',
  'typescript',
];

/** The examples of the document by the file name in their first line. */
const readExamples = async (): Promise<Map<string, string>> =>
  new Map(
    [...(await readFile(document, 'utf8')).matchAll(/^```ts\n\/\/ (\S+)\n([^]*?)^```$/gm)].map(
      ([, name = '', text = '']) => [name, text],
    ),
  );

const strict = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: false,
  // The declarations of the package are checked too.
  skipLibCheck: false,
  target: 'ES2023',
  lib: ['ES2023'],
  types: ['node'],
};

describe('the npm package', () => {
  let project: string;
  let installed: string;
  let tarball: string;
  let files: string[];

  before(async () => {
    project = await mkdtemp(path.join(tmpdir(), 'ton-workbench-library-'));
    ({ file: tarball, files } = await packLibrary(path.join(project, 'packed')));
    await writeFile(path.join(project, 'package.json'), '{ "private": true }\n');
    await npm('install', tarball);
    installed = path.join(project, 'node_modules/ton-workbench');
    for (const name of developmentTools) {
      await symlink(path.join(root, 'node_modules', name), path.join(project, 'node_modules', name));
    }
    const examples = await readExamples();
    // Jest's usual project is CommonJS; the others are ES modules.
    await put('jest', 'commonjs', new Map([['wallet.test.ts', examples.get('wallet.test.ts') ?? '']]));
    examples.delete('wallet.test.ts');
    await put('modules', 'module', examples);
  });
  after(() => rm(project, { recursive: true, force: true }));

  const put = async (folder: string, type: string, sources: ReadonlyMap<string, string>): Promise<void> => {
    await mkdir(path.join(project, folder));
    await writeFile(path.join(project, folder, 'package.json'), JSON.stringify({ type }));
    for (const [name, text] of sources) {
      await writeFile(path.join(project, folder, name), text);
    }
  };

  /** Without a registry, as on a train. */
  const npm = (...args: string[]): Promise<{ stdout: string }> =>
    execute('npm', [...args, '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: project });

  const run = async (...args: string[]): Promise<string> => {
    try {
      const { stdout } = await execute(process.execPath, args, { cwd: project });
      return stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${args.join(' ')}:\n${stdout}${stderr}`, { cause: error });
    }
  };

  const compile = async (options: object): Promise<void> => {
    const config = { compilerOptions: { ...strict, ...options }, include: ['jest', 'modules'] };
    await writeFile(path.join(project, 'tsconfig.json'), JSON.stringify(config));
    await run('node_modules/typescript/bin/tsc', '-p', '.');
  };

  it('contains the library, the command line, and what belongs to them, and nothing else', () => {
    const allowed = [
      /^package\.json$/,
      /^(README|CHANGELOG)\.md$/,
      /^LICENSE$/,
      /^(THIRD-PARTY-NOTICES\.txt|sbom\.cdx\.json)$/,
      /^docs\/(command-line|networks|local-network|webhooks|payments|wallet|end-to-end|stack-text|call-sheets|debugging|gas|coverage|tests)\.md$/,
      /^dist\/\w+\.(js|d\.ts)$/,
      /^dist\/chunks\/[\w.-]+\.js$/,
      // The page of a trace as a file.
      /^dist\/webview\/tracePage\.(js|css)$/,
    ];
    assert.deepEqual(
      files.filter((file) => !allowed.some((form) => form.test(file))),
      [],
    );
    const workers = files.filter((file) => file.endsWith('Worker.js'));
    assert.deepEqual(workers, ['dist/localnetWorker.js', 'dist/webhookWorker.js']);
  });

  it('links only to what it contains', async () => {
    const documents = files.filter((file) => file.endsWith('.md'));
    assert.ok(documents.includes('docs/payments.md') && documents.includes('docs/wallet.md'));
    for (const file of documents.filter((name) => name !== 'CHANGELOG.md')) {
      const text = await readFile(path.join(installed, file), 'utf8');
      for (const [, target = ''] of text.matchAll(/\]\(([\w./-]+)/g)) {
        if (!target.startsWith('http')) {
          assert.ok(files.includes(path.posix.join(path.posix.dirname(file), target)), `${file}: ${target}`);
        }
      }
    }
  });

  it('installs nothing else', async () => {
    const manifest = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8')) as Record<
      string,
      object
    >;
    for (const field of ['dependencies', 'optionalDependencies', 'scripts', 'main']) {
      assert.ok(!(field in manifest), field);
    }
    const peers = Object.keys(manifest['peerDependencies'] ?? {});
    assert.deepEqual(peers, ['@playwright/test', '@ton/sandbox'], 'which only tests need that have them');
    assert.deepEqual(
      Object.values(manifest['peerDependenciesMeta'] ?? {}),
      peers.map(() => ({ optional: true })),
    );
  });

  it('passes publint and "Are the types wrong?"', async () => {
    const { messages } = await publint({ pkgDir: installed, level: 'suggestion', pack: false });
    assert.deepEqual(messages, []);
    const analysis = await checkPackage(createPackageFromTarballData(await readFile(tarball)));
    assert.ok('problems' in analysis, 'the package has types');
    assert.deepEqual(analysis.problems, []);
    const { exports } = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8')) as {
      exports: object;
    };
    assert.deepEqual(Object.keys(analysis.entrypoints), Object.keys(exports));
  });

  it('has an example for each subpath where editors show it', async () => {
    const declarations = files.filter((file) => /^dist\/(?!\w+Types|stackValue)\w+\.d\.ts$/.test(file));
    assert.ok(declarations.length >= 8);
    for (const file of declarations) {
      const text = await readFile(path.join(installed, file), 'utf8');
      assert.match(text, /@example\n \* ```ts/, file);
      const exported = [...text.matchAll(/^(.*)\nexport (?!type \{|\* from)/gm)];
      assert.deepEqual(
        exported.filter(([, before]) => before !== ' */' && !/^\/\*\*.*\*\/$/.test(before ?? '')).map(String),
        [],
        `${file}: not described`,
      );
    }
  });

  it('compiles with moduleResolution bundler', () =>
    compile({ module: 'ESNext', moduleResolution: 'bundler', noEmit: true }));

  it('compiles with NodeNext, and its examples do what the document says', async () => {
    await compile({ module: 'NodeNext', outDir: 'out', rootDir: '.' });
    for (const [folder, type] of Object.entries({ jest: 'commonjs', modules: 'module' })) {
      await writeFile(path.join(project, 'out', folder, 'package.json'), JSON.stringify({ type }));
    }
    const followed = await run('out/modules/followPayment.js');
    assert.match(followed, /^It will cost \d+ nanocoins in fees\.$/m);
    assert.match(followed, /^complete: 2 steps$/m);
    assert.match(followed, /^500000000 nanocoins for order 7: nothing failed$/m);

    const replayed = await run('out/modules/replayPayment.js');
    assert.match(replayed, /^exact: exit code 0, (\d+) of \1 steps$/m);
    assert.match(replayed, /^edited: messages sent 1 -> 0$/m);

    const received = (await run('out/modules/webhook.js')).trim().split('\n');
    assert.equal(received[0], '200 Thank you.');
    assert.match(received[1] ?? '', /^200 .*already processed \(paid\)/);
    assert.match(received[2] ?? '', /^401 no secret matches/);
    assert.equal(received[3], 'order-7 is paid');

    const paid = (await run('out/modules/payOrder.js')).trim().split('\n');
    assert.deepEqual(paid, ['pending: wrong-amount', 'accepted: success 1.5', 'the payment is success']);

    const report = path.join(project, 'jest.json');
    const jest = [
      'node_modules/jest/bin/jest.js',
      '--rootDir',
      'out/jest',
      '--ci',
      '--runInBand',
      `--testTimeout=${5_000 * pace}`,
    ];
    await run(...jest, '--json', '--outputFile', report);
    const { numPassedTests, openHandles } = JSON.parse(await readFile(report, 'utf8')) as {
      numPassedTests: number;
      openHandles: unknown[];
    };
    assert.deepEqual({ numPassedTests, openHandles }, { numPassedTests: 2, openHandles: [] });
  });

  it('lets the SDK of TON Connect write nothing into the output of a command', async () => {
    const chunks = (await readdir(path.join(installed, 'dist'), { recursive: true })).filter((name) =>
      name.endsWith('.js'),
    );
    const texts = await Promise.all(
      chunks.map((name) => readFile(path.join(installed, 'dist', name), 'utf8')),
    );
    const speaking = texts.flatMap((text) => text.match(/\w*[cC]onsole\.\w+\("\[TON_CONNECT_SDK\]"/g) ?? []);
    assert.ok(speaking.length > 0);
    assert.deepEqual(
      speaking.filter((call) => !call.startsWith('quietConsole')),
      [],
    );
  });

  it('runs the command line without an editor', async () => {
    const { stdout } = await npm('exec', '--yes', `--package=${tarball}`, '--', 'ton-workbench', '--version');
    assert.equal(stdout.trim(), version);
    const bin = path.join(project, 'node_modules/.bin/ton-workbench');
    const localnet = spawn(bin, ['localnet', '--port', '0', '--json'], { cwd: project });
    const ended = once(localnet, 'exit');
    try {
      const { value: line } = (await createInterface(localnet.stdout)[Symbol.asyncIterator]().next()) as {
        value: string;
      };
      const { v2, accounts } = JSON.parse(line) as { v2: string; accounts: unknown[] };
      assert.equal(accounts.length, 10);
      assert.equal((await fetch(`${v2}/getMasterchainInfo`)).status, 200);
    } finally {
      localnet.kill('SIGINT');
    }
    assert.deepEqual(await ended, [0, null]);
  });
});
