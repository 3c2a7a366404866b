// Runs test/check for npm run check: tests of the sources' own rules. They read sources and run none, so they are
// built alone and beside dist.
import path from 'node:path';
import Mocha from 'mocha';
import { buildProject } from './build.mjs';
import { endProcess } from './cleanUp.mjs';
import { CountingReporter } from './countingReporter.mjs';
import { pace } from './pace.mjs';
import { root } from './root.mjs';
import { suiteFiles } from './suiteFiles.mjs';
import { tierNamed } from './tiers.mjs';

const built = '.cache/check';
await buildProject('--only=test/check', `--outdir=${built}`);
const mocha = new Mocha({
  reporter: CountingReporter,
  timeout: tierNamed('check').testMs * pace,
  forbidOnly: true,
});
for (const file of suiteFiles('check')) {
  mocha.addFile(path.join(root, built, 'test', file.replace(/\.ts$/, '.js')));
}
await mocha.loadFilesAsync();
mocha.run((failures) => void endProcess(failures === 0 ? 0 : 1));
