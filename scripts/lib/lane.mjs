// One lane of npm test: a process that runs suite files, one after the other, as runLanes.mjs hands them over. What a
// file has loaded (emulator, compilers, the editor's server, the browser) is there for the next one.
//   lane.mjs TIER
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import Mocha from 'mocha';
import { endProcess } from './cleanUp.mjs';
import { CountingReporter } from './countingReporter.mjs';
import { pace } from './pace.mjs';
import { root } from './root.mjs';
import { rootHooksOf } from './rootHooks.mjs';
import { tierNamed } from './tiers.mjs';
import { wasmFlags } from './wasmFlags.mjs';

// Most tests run an emulator or a compiler for a moment only.
wasmFlags.forEach((flag) => setFlagsFromString(flag));
// Without npm test, commands keep nothing.
process.env['TON_CACHE_FOLDER'] ??= '';

const tier = tierNamed(process.argv[2]);
const grep = process.env['TONWB_GREP'];

/**
 * @param {string} file such as `test/unit/base/text.test.ts`
 * @returns {Promise<import('./countingReporter.mjs').Counts>}
 */
const runFile = async (file) => {
  const mocha = new Mocha({
    reporter: CountingReporter,
    timeout: tier.testMs * pace,
    forbidOnly: true,
    rootHooks: await rootHooksOf(path.join(root, 'dist/test/test', tier.name)),
    ...(grep === undefined ? {} : { grep }),
  });
  mocha.addFile(path.join(root, 'dist/test', file.replace(/\.tsx?$/, '.js')));
  await mocha.loadFilesAsync();
  return new Promise((resolve) => {
    const runner = mocha.run(() => {
      mocha.dispose();
      resolve(CountingReporter.countsOf(runner));
    });
  });
};

process.on('message', (/** @type {{ file: string } | 'end'} */ message) => {
  if (message === 'end') {
    void endProcess(0);
    return;
  }
  void runFile(message.file)
    .catch((/** @type {unknown} */ error) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.stdout.write(`${text}\n`);
      return { passed: 0, failed: 1, failures: [`${message.file} cannot be loaded`], files: [message.file] };
    })
    // What was printed is in the pipe before the result is sent.
    .then((counts) => process.stdout.write('\0', () => process.send?.(counts)));
});
// The process that hands the files over is gone.
process.once('disconnect', () => void endProcess(1));
process.send?.('ready');
