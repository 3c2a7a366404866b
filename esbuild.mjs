// Builds dist/: the extension, the CLI, the workers and the webviews; with --tests the test suites too.
import { build, context } from 'esbuild';
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const args = new Set(process.argv.slice(2));
const root = import.meta.dirname;
const production = args.has('--production');

/** Bundled CommonJS packages expect these names; ES modules lack them. */
const commonJsNames = [
  "import { createRequire as __createRequire } from 'node:module';",
  "import { fileURLToPath as __fileURLToPath } from 'node:url';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = __fileURLToPath(import.meta.url);',
  "const __dirname = __fileURLToPath(new URL('.', import.meta.url));",
].join('\n');

/** The sandbox package's debug emulator (1.4 MB) is only needed with `debug: true`, which nothing here uses. */
const withoutDebugger = {
  name: 'without-sandbox-debugger',
  setup(b) {
    b.onResolve({ filter: /emulator-emscripten\.debugger/ }, (a) => ({ path: a.path, namespace: 'absent' }));
    b.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({
      contents: 'module.exports = {};',
      loader: 'js',
    }));
  },
};

const shared = {
  absWorkingDir: root,
  bundle: true,
  sourcemap: production ? false : 'linked',
  minify: production,
  legalComments: production ? 'external' : 'none',
  logLevel: 'warning',
  metafile: true,
};

/** One build with code splitting: what an entry does not import statically is not loaded with it. */
const node = (entryPoints, outdir) => ({
  ...shared,
  entryPoints,
  outdir,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  external: ['vscode'],
  banner: { js: commonJsNames },
  plugins: [withoutDebugger],
});

const files = async (folder, pattern) => {
  const found = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return found
    .filter((f) => f.isFile() && pattern.test(f.name))
    .map((f) => path.relative(root, path.join(f.parentPath, f.name)))
    .sort();
};

const product = async () => {
  const workers = await files('src/toolkit', /Worker\.ts$/);
  const entries = Object.fromEntries(
    ['src/extension.ts', 'src/cli.ts', ...workers].map((file) => [path.basename(file, '.ts'), file]),
  );
  const webviews = (await files('src/webview', /^main\.tsx$/)).map((file) => ({
    in: file,
    out: `webview/${path.basename(path.dirname(file))}`,
  }));
  const builds = [node(entries, 'dist')];
  if (webviews.length > 0) {
    builds.push({
      ...shared,
      entryPoints: webviews,
      outdir: 'dist',
      platform: 'browser',
      target: 'es2022',
      format: 'iife',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      define: { 'process.env.NODE_ENV': '"production"' },
    });
  }
  return builds;
};

/** `--only=test/unit/stack`: builds just the suites below that path, for a quick loop. */
const only = process.argv.find((arg) => arg.startsWith('--only='))?.slice('--only='.length);

const suites = async () => {
  const wanted = (list) => list.filter((file) => only === undefined || file.startsWith(only));
  const tests = wanted(await files('test', /\.test\.tsx?$/));
  const benches = wanted(await files('bench', /\.bench\.ts$/));
  const entry = (list) => Object.fromEntries(list.map((file) => [file.replace(/\.tsx?$/, ''), file]));
  const plain = tests.filter((file) => !file.startsWith('test/host/'));
  const plainBuild = { ...node(entry([...plain, ...benches]), 'dist/test'), sourcemap: 'inline' };
  const host = wanted(await files('test/host', /^index\.ts$/));
  if (host.length === 0) {
    return [plainBuild];
  }
  return [
    plainBuild,
    // The editor loads this one itself, as CommonJS.
    {
      ...shared,
      sourcemap: 'inline',
      entryPoints: { 'test/host/index': 'test/host/index.ts' },
      outdir: 'dist/test',
      outExtension: { '.js': '.cjs' },
      platform: 'node',
      target: 'node20.19',
      format: 'cjs',
      external: ['vscode', 'mocha'],
      plugins: [withoutDebugger],
    },
  ];
};

const builds = [
  ...(only === undefined ? await product() : []),
  ...(only !== undefined || args.has('--tests') ? await suites() : []),
];
if (args.has('--watch')) {
  await Promise.all(builds.map(async (options) => (await context(options)).watch()));
} else {
  await rm(path.join(root, only === undefined ? 'dist' : 'dist/test'), { recursive: true, force: true });
  const results = await Promise.all(builds.map((options) => build(options)));
  if (only === undefined) {
    await writeFile(path.join(root, 'dist/meta.json'), JSON.stringify(results[0].metafile));
  }
}
