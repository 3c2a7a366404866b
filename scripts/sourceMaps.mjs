// npm run maps -- FOLDER…: which methods of the contracts below each folder get source lines, and why the others do
// not. FunC and Tact are compiled by the compilers in the node_modules around the folders.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setUp } from './setup.mjs';
import { cacheFolder, root } from './lib/root.mjs';
import { table } from './lib/table.mjs';

const folders = process.argv.slice(2);
await setUp();
const { build } = await import('esbuild');
const outfile = path.join(cacheFolder, 'measureMaps.cjs');
await build({
  absWorkingDir: root,
  entryPoints: ['scripts/lib/measureMaps.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  packages: 'external',
  logLevel: 'warning',
});
/**
 * @typedef {{ contracts: number, failed: string[], aligned: number, refused: string[], instructions: number,
 *   judged: number, wrong: string[] }} Measured
 * @type {{ measureMaps(folder: string): Promise<Measured> }}
 */
const { measureMaps } = await import(pathToFileURL(outfile).href);
const rows = [];
const notes = [];
for (const folder of folders) {
  const { contracts, failed, aligned, refused, instructions, judged, wrong } = await measureMaps(
    path.resolve(folder),
  );
  const name = path.basename(path.resolve(folder));
  rows.push([
    name,
    ...[contracts, failed.length, aligned, refused.length, instructions, judged, wrong.length].map(String),
  ]);
  notes.push(
    ...failed.map((text) => `${name}: does not compile: ${text}`),
    ...refused.map((text) => `${name}: refused: ${text}`),
    ...wrong.map((text) => `${name}: wrong: ${text}`),
  );
}
const heads = [
  'folder',
  'contracts',
  'not compiled',
  'aligned',
  'refused',
  'instructions',
  'judged',
  'wrong',
];
process.stdout.write(table(heads, rows, new Set([1, 2, 3, 4, 5, 6, 7])));
process.stdout.write([...notes, ''].join('\n'));
// The compilers keep the process alive.
process.exit(0);
