// Builds dist/: the extension, the CLI, the workers and the webviews.
//   --production     minified, without source maps
//   --tests          the test suites and benchmarks too, into dist/test
//   --only=PATH      nothing but the suites below that path (test/unit/stack), for a quick loop
//   --outdir=FOLDER  somewhere else than dist
//   --watch          goes on building when a source changes
import { build, context } from 'esbuild';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import {
  commandLinePlugins,
  commonJsNames,
  emojiWhenNeeded,
  hashesOfNode,
  removeRepeatedImports,
  removeUnusedNames,
  signaturesOfNode,
  silentTonConnect,
  withoutUnusedParts,
} from './scripts/lib/buildPlugins.mjs';
import { recorderBuild, recorderSources } from './scripts/lib/recorderBuild.mjs';
import { webviewBuild } from './scripts/lib/webviewBuild.mjs';

/** @typedef {import('esbuild').BuildOptions} BuildOptions */
/** @typedef {import('esbuild').Plugin} Plugin */

const { values: args } = parseArgs({
  options: {
    production: { type: 'boolean', default: false },
    tests: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    only: { type: 'string' },
    outdir: { type: 'string', default: 'dist' },
  },
});
const root = import.meta.dirname;
const { outdir } = args;

/**
 * The editor's API comes from src/main.cjs, which says why.
 * @type {Plugin}
 */
const vscodeFromMain = {
  name: 'vscode-from-main',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^vscode$/ }, (a) => ({ path: a.path, namespace: 'vscode-from-main' }));
    onLoad({ filter: /.*/, namespace: 'vscode-from-main' }, () => ({
      contents: "module.exports = globalThis[Symbol.for('ton-workbench.vscode')];",
      loader: 'js',
    }));
  },
};

/**
 * Tests use the project's scripts as they are: bundled, they would look for the project in the wrong place.
 * @type {Plugin}
 */
const scriptsAsTheyAre = {
  name: 'scripts-as-they-are',
  setup({ onResolve }) {
    onResolve({ filter: /\/scripts\/.*\.mjs$/ }, (a) => ({
      path: pathToFileURL(path.resolve(a.resolveDir, a.path)).href,
      external: true,
    }));
  },
};

/**
 * @param {string} folder
 * @param {RegExp} pattern of the file's name
 */
const files = async (folder, pattern) => {
  const found = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return found
    .filter((file) => file.isFile() && pattern.test(file.name))
    .map((file) => path.relative(root, path.join(file.parentPath, file.name)).replaceAll('\\', '/'))
    .sort();
};

/**
 * The host's suites run in one bundle that the editor loads. Its list of files is made here, so none is forgotten.
 * @type {Plugin}
 */
const hostSuiteList = {
  name: 'host-suite-list',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^virtual:host-suites$/ }, (a) => ({ path: a.path, namespace: 'host-suites' }));
    onLoad({ filter: /.*/, namespace: 'host-suites' }, async () => {
      const names = await files('test/host', /\.test\.ts$/);
      const lines = names.map(
        (name) => `[${JSON.stringify(name)}, () => import(${JSON.stringify(`./${name}`)})],`,
      );
      return {
        contents: `export const suites = new Map([\n${lines.join('\n')}\n]);`,
        resolveDir: root,
        watchDirs: [path.join(root, 'test/host')],
      };
    });
  },
};

/** @satisfies {BuildOptions} */
const shared = {
  absWorkingDir: root,
  bundle: true,
  sourcemap: args.production ? false : 'linked',
  minify: args.production,
  legalComments: args.production ? 'external' : 'none',
  // In watch mode a line per build, by which editors tell that one has begun and ended.
  logLevel: args.watch ? 'info' : 'warning',
  metafile: true,
};

/**
 * One build with code splitting: what an entry does not import statically is not loaded with it.
 * @param {Record<string, string>} entryPoints
 * @param {string} folder
 * @returns {BuildOptions}
 */
const forNode = (entryPoints, folder) => ({
  ...shared,
  entryPoints,
  outdir: folder,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  splitting: true,
  // Each of hundreds of files imports a dozen others by these names.
  chunkNames: args.production ? 'chunks/[hash]' : 'chunks/[name]-[hash]',
  external: ['vscode'],
  banner: { js: commonJsNames },
  plugins: [withoutUnusedParts, silentTonConnect, hashesOfNode, signaturesOfNode, scriptsAsTheyAre],
});

/** @returns {Promise<BuildOptions[]>} */
const product = async () => {
  // builtWorker.ts only says where they are.
  const workers = await files('src/toolkit', /(?<!^built)Worker\.ts$/);
  const mains = ['src/extension.ts', 'src/cli.ts'];
  const entries = Object.fromEntries(
    [...mains, ...workers].map((file) => [path.posix.basename(file, '.ts'), file]),
  );
  const webviews = (await files('src/webview', /^main\.tsx$/)).map((file) => ({
    in: file,
    out: `webview/${path.posix.basename(path.posix.dirname(file))}`,
  }));
  /** @type {BuildOptions} */
  const forBrowser = {
    ...shared,
    ...webviewBuild,
    entryPoints: webviews,
    outdir,
  };
  const forEditor = {
    ...forNode(entries, outdir),
    plugins: [...commandLinePlugins, emojiWhenNeeded, signaturesOfNode, vscodeFromMain],
  };
  /** @type {BuildOptions} */
  const forTests = {
    ...shared,
    ...recorderBuild,
    sourcemap: false,
    entryPoints: recorderSources,
    outdir,
    outExtension: { '.js': '.cjs' },
  };
  return [forEditor, ...(webviews.length > 0 ? [forBrowser] : []), forTests];
};

/** @param {string} file */
const isWanted = (file) => args.only === undefined || file.startsWith(args.only.replace(/^\.\//, ''));

/** Loaded from node_modules, because they look for files of their own beside them. */
const testTools = [
  ...['mocha', 'playwright-core', '@axe-core/playwright', 'esbuild', 'typescript', '@vscode/*', 'proxy'],
  '@cyclonedx/cyclonedx-library',
  '@arethetypeswrong/core',
  '@tychosdk/emulator',
  'publint',
];

/** @returns {Promise<BuildOptions>} */
const plainSuites = async () => {
  const tests = (await files('test', /(\.test\.tsx?|^rootHooks\.ts)$/)).filter(
    (file) => !file.startsWith('test/host/'),
  );
  const wanted = [...tests, ...(await files('bench', /\.bench\.ts$/))].filter(isWanted);
  const entries = Object.fromEntries(wanted.map((file) => [file.replace(/\.tsx?$/, ''), file]));
  return { ...forNode(entries, `${outdir}/test`), sourcemap: 'inline', external: ['vscode', ...testTools] };
};

/** @returns {BuildOptions} the editor loads this one itself, as CommonJS */
const hostSuite = () => ({
  ...shared,
  sourcemap: 'inline',
  entryPoints: { 'test/host/index': 'test/host/index.ts' },
  outdir: `${outdir}/test`,
  outExtension: { '.js': '.cjs' },
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  external: ['vscode', ...testTools],
  banner: { js: "const __importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
  define: { 'import.meta.url': '__importMetaUrl' },
  plugins: [withoutUnusedParts, silentTonConnect, hashesOfNode, signaturesOfNode, hostSuiteList],
});

const productBuilds = args.only === undefined ? await product() : [];
const withSuites = args.only !== undefined || args.tests;
const withHost = withSuites && (args.only === undefined || args.only.startsWith('test/host'));
const builds = [
  ...productBuilds,
  ...(withSuites ? [await plainSuites()] : []),
  ...(withHost ? [hostSuite()] : []),
];

/** What is in which file of dist: the size budgets and the notices are made from this. */
const mergeMetafiles = (/** @type {import('esbuild').BuildResult<{ metafile: true }>[]} */ results) => {
  const metafiles = results.slice(0, productBuilds.length).map((result) => result.metafile);
  return {
    inputs: Object.assign({}, ...metafiles.map(({ inputs }) => inputs)),
    outputs: Object.assign({}, ...metafiles.map(({ outputs }) => outputs)),
  };
};

const graphFile = path.resolve(root, outdir, 'test/graph.json');

/**
 * Who imports what, for `npm test -- --changed`.
 * @param {import('esbuild').BuildResult<{ metafile: true }>[]} results
 */
const importsOf = (results) => {
  /** @param {string} file */
  const local = (file) =>
    file.startsWith('file:') ? path.relative(root, fileURLToPath(file)).replaceAll('\\', '/') : file;
  /** @type {Record<string, { uses: string[], mayLoad: string[] }>} */
  const graph = {};
  for (const [file, { imports }] of results.flatMap(({ metafile }) => Object.entries(metafile.inputs))) {
    if (/^(src|test|bench)\/|^package\.json$/.test(file)) {
      const dynamic = imports.filter(({ kind }) => kind === 'dynamic-import');
      const others = imports.filter(({ kind }) => kind !== 'dynamic-import');
      graph[file] = {
        uses: others.map((one) => local(one.path)),
        mayLoad: dynamic.map((one) => local(one.path)),
      };
    }
  }
  return graph;
};

/**
 * Removes what earlier builds left. Not before the build: an editor may be running from these files.
 * @param {string[]} written
 */
const removeStale = async (written) => {
  const folder = path.resolve(root, outdir);
  const tests = path.join(folder, 'test');
  const kept = new Set([
    path.join(folder, 'main.cjs'),
    path.join(folder, 'meta.json'),
    graphFile,
    ...(args.production ? ['THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json'] : []).map((name) =>
      path.join(folder, name),
    ),
    ...written.map((file) => path.resolve(root, file)),
  ]);
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const stale = found
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => (file.startsWith(tests + path.sep) ? withSuites : productBuilds.length > 0))
    .filter((file) => !kept.has(file));
  await Promise.all(stale.map((file) => rm(file, { force: true })));
};

if (args.watch) {
  await mkdir(path.resolve(root, outdir), { recursive: true });
  await copyFile(path.join(root, 'src/main.cjs'), path.resolve(root, outdir, 'main.cjs'));
  await Promise.all(builds.map(async (options) => (await context(options)).watch()));
  process.stderr.write('Watching the sources; Ctrl+C stops.\n');
} else {
  try {
    const results = await Promise.all(builds.map((options) => build({ ...options, metafile: true })));
    if (args.only === undefined) {
      const merged = mergeMetafiles(results);
      if (args.production) {
        await removeUnusedNames(root, merged.outputs);
        await removeRepeatedImports(root, merged.outputs);
      }
      await writeFile(path.resolve(root, outdir, 'meta.json'), JSON.stringify(merged));
      if (args.production) {
        const { writeThirdParty } = await import('./scripts/lib/thirdParty.mjs');
        await writeThirdParty(path.resolve(root, outdir), merged.outputs);
      }
    }
    if (productBuilds.length > 0) {
      await copyFile(path.join(root, 'src/main.cjs'), path.resolve(root, outdir, 'main.cjs'));
    }
    if (withSuites) {
      await writeFile(graphFile, JSON.stringify(importsOf(results)));
    }
    await removeStale(results.flatMap(({ metafile }) => Object.keys(metafile.outputs)));
  } catch (error) {
    // What esbuild failed at, it has printed.
    if (!(error instanceof Error && 'errors' in error)) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    }
    process.exitCode = 1;
  }
}
