// One tier of plain Node.js tests in a separate process: runSuites.mjs TIER [FOLDER of the build, by default dist]
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import Mocha from 'mocha';
import { endProcess } from './cleanUp.mjs';
import { CountingReporter } from './countingReporter.mjs';
import { root } from './root.mjs';
import { tiers } from './tiers.mjs';

// As in src/cli.ts, which says why. Most tests run an emulator or a compiler for a moment only.
if (Number.parseInt(process.versions.v8, 10) < 13) {
  setFlagsFromString('--wasm-tiering-budget=13000000');
}

const tier = tiers.find(({ name }) => name === process.argv[2]);
if (tier === undefined) {
  throw new Error(`There is no tier ${process.argv[2]}.`);
}
const folder = path.join(root, process.argv[3] ?? 'dist', 'test/test', tier.name);
const grep = process.env['TONWB_GREP'];
// Without npm test, commands keep nothing.
process.env['TON_CACHE_FOLDER'] ??= '';
const mocha = new Mocha({
  reporter: CountingReporter,
  timeout: tier.testMs,
  forbidOnly: true,
  ...(grep === undefined ? {} : { grep }),
});
for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
  if (file.endsWith('.test.js')) {
    mocha.addFile(path.join(folder, file));
  }
}
await mocha.loadFilesAsync();
mocha.run((failures) => void endProcess(failures === 0 ? 0 : 1));
