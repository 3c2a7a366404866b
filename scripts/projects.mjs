// npm run projects -- FOLDER [--write]: opens each project in a folder as a user does who changes nothing, and prints what of
// its contracts is found, compiled to the code of the project's own build, deployed to a local network, typed, named, and
// shown by its lines, and the reason of each no. Nothing is fetched: the projects have their compilers in node_modules.
// With --write, the table goes into docs/projects.md.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setUp } from './setup.mjs';
import { buildProject } from './lib/build.mjs';
import { root } from './lib/root.mjs';

const [folder, ...options] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('Give the folder of the projects: npm run projects -- FOLDER\n');
  process.exit(1);
}
await setUp();
await buildProject();
const [{ build }, plugins] = await Promise.all([import('esbuild'), import('./lib/buildPlugins.mjs')]);
// Beside the threads that the product starts.
const outfile = path.join(root, 'dist/test/measureProjects.mjs');
await build({
  absWorkingDir: root,
  entryPoints: ['scripts/lib/measureProjects.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  external: ['vscode', 'esbuild'],
  banner: { js: plugins.commonJsNames },
  plugins: [plugins.withoutUnusedParts, plugins.hashesOfNode, plugins.signaturesOfNode],
  logLevel: 'warning',
});
const { measureProjects, projectsTable } = await import(pathToFileURL(outfile).href);
rmSync(outfile);
const only = options.filter((option) => !option.startsWith('--'));
const folders = readdirSync(folder)
  .filter((name) => only.length === 0 || only.includes(name))
  .map((name) => path.resolve(folder, name))
  .filter((one) => statSync(one).isDirectory())
  .toSorted();
const measured = await measureProjects(folders, (/** @type {string} */ line) =>
  process.stderr.write(`${line}\n`),
);
const text = projectsTable(measured);
if (options.includes('--write')) {
  const file = path.join(root, 'docs/projects.md');
  const mark = '<!-- The rest is written by npm run projects. -->';
  const [before] = readFileSync(file, 'utf8').split(mark);
  writeFileSync(file, `${before}${mark}\n\n${text}`);
} else {
  process.stdout.write(text);
}
// The compilers keep the process alive.
process.exit(0);
