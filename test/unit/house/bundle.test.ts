import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../../scripts/lib/root.mjs';
import type { ProductionBuild } from '../../support/productionBuild';
import { productionBuild } from '../../support/productionBuild';

const kibibyte = 1024;

/** Too heavy for the start of a window, or of a command. */
const heavy = [
  '@ton/core',
  '@ton/crypto',
  '@ton/ton',
  '@ton/sandbox',
  '@ton/tolk-js',
  'jssha',
  'undici',
  'zod',
  'fastify',
];

/** The workers of the local network, of the test wallet and the payment API on it, and of explorations, which have one of their own. */
const localWorkers = ['localnetWorker.js', 'walletWorker.js', 'paymentsWorker.js', 'exploreWorker.js'];

/** What is loaded with the first use of one feature only. */
const lateInputs =
  /\/ton-assembly\/|\/project\/templates\/|(?:^|\/)node_modules\/(?:@tonconnect|tr46|whatwg-url|node-fetch|webidl-conversions|eventsource)\//;

describe('the bundle', () => {
  let build: ProductionBuild;
  before(() => {
    build = productionBuild();
  });

  /** The files that are loaded with this one, itself included. */
  const loadedWith = (entry: string, kinds = ['import-statement']): string[] => {
    const found = new Set([entry]);
    for (const file of found) {
      for (const { path: target, kind } of build.outputs[file]?.imports ?? []) {
        if (kinds.includes(kind) && target in build.outputs) {
          found.add(target);
        }
      }
    }
    return [...found];
  };
  const bytes = (files: string[]): number =>
    files.reduce((sum, file) => sum + (build.outputs[file]?.bytes ?? 0), 0);
  const inputs = (files: string[]): string[] =>
    files.flatMap((file) => Object.keys(build.outputs[file]?.inputs ?? {}));

  it('starts with at most 64 KiB', () => {
    const start = loadedWith('extension.js');
    assert.ok(bytes(start) > kibibyte, 'the extension is there');
    assert.ok(bytes(start) <= 64 * kibibyte, `${bytes(start)} bytes: ${start.join(', ')}`);
  });

  for (const entry of ['extension.js', 'cli.js']) {
    it(`starts ${entry} without heavy modules`, () => {
      const packages = inputs(loadedWith(entry)).flatMap(
        (input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(input)?.[1] ?? [],
      );
      assert.deepEqual(
        [...new Set(packages)].filter((name) => heavy.includes(name)),
        [],
      );
    });
  }

  // Not counted: the local network's worker with the emulator (9 MB) and those of the servers that only run beside it, the Tolk compiler (8 MB, with the first source that is deployed), and the table of machine instructions (380 KiB),
  // which comes with the first disassembly, the texts of new contracts (20 KiB), which come with the first of them, and the SDK of TON Connect with what it needs to fetch (400 KiB), which comes with the first wallet that is connected. Two thirds are our own code, loaded feature by feature.
  it('has at most 2640 KiB that a window can load', () => {
    const kinds = ['import-statement', 'dynamic-import'];
    const workers = Object.keys(build.outputs).filter(
      (file) => /^\w+Worker\.js$|^webview\/.*\.js$/.test(file) && !localWorkers.includes(file),
    );
    const loadable = new Set(['extension.js', ...workers].flatMap((entry) => loadedWith(entry, kinds)));
    const counted = [...loadable].filter(
      (file) => !inputs([file]).some((input) => /@ton\/(sandbox|tolk-js)\//.test(input)),
    );
    const late = counted.flatMap((file) =>
      Object.entries(build.outputs[file]?.inputs ?? {}).flatMap(([input, { bytesInOutput }]) =>
        lateInputs.test(input) ? [bytesInOutput] : [],
      ),
    );
    const size = bytes(counted) - late.reduce((sum, part) => sum + part, 0);
    assert.ok(size > 100 * kibibyte && size <= 2640 * kibibyte, `${size} bytes`);
  });

  for (const [worker, most] of [
    ['walletWorker.js', 60],
    ['paymentsWorker.js', 48],
    ['exploreWorker.js', 48],
  ] as const) {
    it(`has at most ${most} KiB in ${worker} that the window and the local network do not load`, () => {
      const kinds = ['import-statement', 'dynamic-import'];
      const others = ['extension.js', 'localnetWorker.js'].flatMap((entry) => loadedWith(entry, kinds));
      const own = bytes(loadedWith(worker, kinds).filter((file) => !others.includes(file)));
      assert.ok(own > kibibyte && own <= most * kibibyte, `${own} bytes`);
    });
  }

  it('has at most 100 KiB in each webview', () => {
    const large = Object.keys(build.outputs).filter(
      (file) => /^webview\/.*\.js$/.test(file) && bytes([file]) > 100 * kibibyte,
    );
    assert.deepEqual(large, []);
  });

  it("leaves the process's fetch dispatcher alone, whichever part the window loads", () => {
    const everything = loadedWith('extension.js', ['import-statement', 'dynamic-import']).filter((file) =>
      file.endsWith('.js'),
    );
    const answer = loadInPlainNode(build.folder, everything);
    assert.deepEqual(answer, {
      activate: 'function',
      loaded: everything.length,
      dispatchers: [false, false],
    });
  });
});

/** Names that our editor code reads from vscode; a stub has to have them. */
function vscodeNames(): string[] {
  const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const names = sources.flatMap((file) =>
    [...readFileSync(path.join(root, 'src', file), 'utf8').matchAll(/\bvscode\.(\w+)/g)].map(
      ([, name = '']) => name,
    ),
  );
  return [...new Set(names)];
}

/**
 * Loads the extension as an editor does, in a plain Node.js with an empty vscode, then further files of the bundle, and
 * asks for undici's two global symbols.
 */
function loadInPlainNode(folder: string, files: string[]): unknown {
  const script = `const Module = require('node:module');
    const stub = Object.fromEntries(${JSON.stringify(vscodeNames())}.map((name) => [name, class {}]));
    const load = Module._load;
    Module._load = (request, ...rest) => (request === 'vscode' ? stub : load(request, ...rest));
    const symbols = [1, 2].map((n) => Symbol.for('undici.globalDispatcher.' + n));
    const { activate } = require('./main.cjs');
    const all = ${JSON.stringify(files.map((file) => pathToFileURL(path.join(folder, file)).href))};
    Promise.all(all.map((url) => import(url))).then((loaded) => {
      const dispatchers = symbols.map((symbol) => symbol in globalThis);
      process.stdout.write(JSON.stringify({ activate: typeof activate, loaded: loaded.length, dispatchers }));
      process.exit(0);
    });`;
  const file = path.join(folder, 'load.cjs');
  writeFileSync(file, script);
  return JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8' })) as unknown;
}
