import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {string[]} failures titles, each with the lines that say what failed and where
 * @property {string[]} files the suite files that had a test
 */

// Output goes through pipes: only the runner knows whether there is a terminal behind them.
Mocha.reporters.Base.useColors = process.env['FORCE_COLOR'] === '1';

/** @type {WeakMap<Mocha.Runner, Counts>} */
const countsByRunner = new WeakMap();

/** @param {Error | undefined} error what a test threw @returns {string[]} its first lines, and its places in tests */
const wordsOf = (error) => {
  const message = String(error?.message ?? '').split('\n');
  const places = (error?.stack ?? '').split('\n').filter((line) => /^ +at .*\btest\b/.test(line));
  return [...message.slice(0, 16), ...places.slice(0, 2)].filter((line) => line.trim() !== '');
};

/** Prints like mocha's own reporter, and writes the {@link Counts} to the file that TONWB_RESULT names. */
export class CountingReporter extends Mocha.reporters.Spec {
  /**
   * @param {Mocha.Runner} runner
   * @returns {Counts} of a run with this reporter
   */
  static countsOf(runner) {
    return countsByRunner.get(runner) ?? { passed: 0, failed: 0, failures: [], files: [] };
  }

  /**
   * @param {Mocha.Runner} runner
   * @param {Mocha.MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options);
    /** @type {Counts} */
    const counts = { passed: 0, failed: 0, failures: [], files: [] };
    countsByRunner.set(runner, counts);
    const files = new Set();
    /** @type {[Mocha.Runnable, Error | undefined][]} */
    const failures = [];
    /** @param {Mocha.Runnable} test @param {Error} [error] */
    const failed = (test, error) => {
      counts.failed += 1;
      failures.push([test, error]);
    };
    runner.on('test end', (test) => files.add(test.file));
    runner.on('pass', () => (counts.passed += 1));
    runner.on('fail', failed);
    runner.on('pending', (test) => {
      files.add(test.file);
      // A skipped test would hide a failure, so it counts as one.
      failed(test);
    });
    runner.once('end', () => {
      // Hooks may have added to an error what they saw.
      counts.failures = failures.map(([test, error]) => [test.fullTitle(), ...wordsOf(error)].join('\n'));
      counts.files = [...files].filter((file) => file !== undefined);
      const result = process.env['TONWB_RESULT'];
      if (result !== undefined) {
        writeFileSync(result, JSON.stringify(counts));
      }
    });
  }
}
