import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {string[]} failures titles
 * @property {string[]} files the suite files that had a test
 */

// Output goes through pipes: only the runner knows whether there is a terminal behind them.
Mocha.reporters.Base.useColors = process.env['FORCE_COLOR'] === '1';

/** @type {WeakMap<Mocha.Runner, Counts>} */
const countsByRunner = new WeakMap();

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
    /** @param {Mocha.Runnable} test */
    const failed = (test) => {
      counts.failed += 1;
      counts.failures.push(test.fullTitle());
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
      counts.files = [...files].filter((file) => file !== undefined);
      const result = process.env['TONWB_RESULT'];
      if (result !== undefined) {
        writeFileSync(result, JSON.stringify(counts));
      }
    });
  }
}
