import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, transform } from 'esbuild';
import { commandLinePlugins } from './buildPlugins.mjs';
import { recorderBuild, recorderSources } from './recorderBuild.mjs';
import { root } from './root.mjs';
import { webviewBuild } from './webviewBuild.mjs';

const library = path.join(root, 'src/library');

/** Where a file of the package is, to find the files beside it: the workers. */
const ownUrl = '__importMetaUrl';

/** Files of src/library that only hold types shared by several subpaths. */
export const sharedTypes = ['pageWalletTypes', 'stackValue', 'traceTypes'];

/** Files of src/library that its subpaths are made of. */
const inside = [
  ...['apiTypes', 'publicStackValue', 'toPublicTrace', 'toolkitAccess'],
  // Of `playwright`.
  ...['checkTonOptions', 'failureNotes', 'fromCaller', 'judgeOutcome', 'openPageWallet'],
  ...['requestLine', 'usualPatience'],
];

/**
 * The subpaths of the package: the other files of src/library.
 * @returns {Promise<string[]>} such as `localnet`
 */
export const librarySubpaths = async () => {
  const names = await readdir(library);
  const internal = new Set([...sharedTypes, ...inside]);
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.basename(name, '.ts'))
    .filter((name) => !internal.has(name))
    .sort();
};

/** What the package uses if its user has it, in any of these versions: only one subpath needs each. */
export const peers = { '@playwright/test': '^1.50.0', '@ton/sandbox': '>=0.35.0 <1' };

/** The threads that the library and the command line start; the editor has more. */
const workers = ['src/toolkit/localnet/localnetWorker.ts', 'src/toolkit/webhook/listener/webhookWorker.ts'];

/**
 * CommonJS, because everything can load it: Jest, `require`, `import`, bundlers. Only one format, so that no program
 * gets two copies. esbuild splits code between entries only as ES modules, so that is the first step.
 * @param {string} file an ES module that esbuild has made
 */
const toCommonJs = async (file) => {
  const isProgram = path.basename(file) === 'cli.js';
  const { code } = await transform(await readFile(file, 'utf8'), {
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    // Chunks are loaded on demand, but with require: Jest has no import() for packages.
    supported: { 'dynamic-import': false },
    banner: `${isProgram ? '#!/usr/bin/env node\n' : ''}const ${ownUrl} = require('node:url').pathToFileURL(__filename).href;`,
  });
  await writeFile(file, code, isProgram ? { mode: 0o755 } : {});
};

/**
 * Builds the code of the npm package: the subpaths, the command line, the workers, and the chunks that they share.
 * @param {string} folder
 * @returns {Promise<import('esbuild').Metafile['outputs']>} the outputs, for the notices
 */
export const buildLibrary = async (folder) => {
  const subpaths = await librarySubpaths();
  const alone = Object.values(recorderSources);
  const sources = subpaths.map((name) => `src/library/${name}.ts`).filter((file) => !alone.includes(file));
  const entries = [...sources, ...workers];
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      ...entries.map((file) => ({ in: file, out: path.posix.basename(file, '.ts') })),
      { in: 'src/cli.ts', out: 'cli' },
    ],
    outdir: folder,
    bundle: true,
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    target: 'node20.19',
    // Names stay readable in stack traces; most of the size is WebAssembly anyway.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'inline',
    define: { 'import.meta.url': ownUrl },
    plugins: commandLinePlugins,
    // A test's own Playwright runs it: two copies do not know each other's tests.
    external: ['@playwright/test'],
    metafile: true,
    logLevel: 'warning',
  });
  await Promise.all(Object.keys(metafile.outputs).map((file) => toCommonJs(path.join(root, file))));
  await build({
    ...recorderBuild,
    absWorkingDir: root,
    entryPoints: recorderSources,
    outdir: folder,
    logLevel: 'warning',
  });
  const page = await build({
    ...webviewBuild,
    absWorkingDir: root,
    entryPoints: [{ in: 'src/webview/tracePage/main.tsx', out: 'webview/tracePage' }],
    outdir: folder,
    minify: true,
    legalComments: 'inline',
    metafile: true,
    logLevel: 'warning',
  });
  return { ...metafile.outputs, ...page.metafile.outputs };
};
