// npm run maps -- FOLDER…: which methods and main handlers of the contracts below each folder get source lines, why the
// others do not, and whether the lines are right: those of instructions that throw a number must name it. FunC and Tact
// are compiled by the compilers in the node_modules around the folders; nothing is fetched.
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
 * @typedef {{ name: string, methods: number, withLines: number, handlers: number, handlersWithLines: number }} Contract
 * @typedef {{ contracts: Contract[], failed: string[], refused: string[], instructions: number, judged: number,
 *   wrong: string[] }} Measured
 * @type {{ measureMaps(folder: string): Promise<Measured> }}
 */
const { measureMaps } = await import(pathToFileURL(outfile).href);
const rows = [];
const notes = [];
/** @type {Contract[]} */
const all = [];
let wrongs = 0;
const sum = (/** @type {Contract[]} */ contracts, /** @type {Exclude<keyof Contract, 'name'>} */ key) =>
  contracts.reduce((total, one) => total + one[key], 0);
const shares = (/** @type {Contract[]} */ contracts) => [
  `${sum(contracts, 'withLines')} of ${sum(contracts, 'methods')}`,
  `${sum(contracts, 'handlersWithLines')} of ${sum(contracts, 'handlers')}`,
];
for (const folder of folders) {
  const { contracts, failed, refused, instructions, judged, wrong } = await measureMaps(path.resolve(folder));
  const name = path.basename(path.resolve(folder));
  all.push(...contracts);
  wrongs += wrong.length;
  rows.push([
    name,
    `${contracts.length} of ${contracts.length + failed.length}`,
    ...shares(contracts),
    ...[instructions, judged, wrong.length].map(String),
  ]);
  rows.push(...contracts.map((one) => [`  ${one.name}`, '', ...shares([one]), '', '', '']));
  notes.push(
    ...failed.map((text) => `${name}: does not compile: ${text}`),
    ...refused.map((text) => `${name}: ${text}`),
    ...wrong.map((text) => `${name}: wrong: ${text}`),
  );
}
const heads = [
  'folder',
  'compiled',
  'methods with lines',
  'main handlers',
  'instructions',
  'judged',
  'wrong',
];
process.stdout.write(table(heads, rows, new Set([1, 2, 3, 4, 5, 6])));
process.stdout.write([...notes, ''].join('\n'));
const percent = (/** @type {number} */ part, /** @type {number} */ whole) =>
  whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(1)} %`;
const methods = percent(sum(all, 'withLines'), sum(all, 'methods'));
const handlers = percent(sum(all, 'handlersWithLines'), sum(all, 'handlers'));
process.stdout.write(
  `\nwith lines: ${methods} of the methods (goal 97 %), ${handlers} of the main handlers (goal 97 %); ` +
    `${wrongs} wrong (goal 0)\n`,
);
// The compilers keep the process alive.
process.exit(0);
