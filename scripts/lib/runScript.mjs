import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { onEnd } from './cleanUp.mjs';
import { cpuSeconds, endProcessTree } from './processTree.mjs';
import { root } from './root.mjs';
import { suiteFiles } from './suiteFiles.mjs';

/** @typedef {import('./tiers.mjs').Tier} Tier */
/** @typedef {import('./countingReporter.mjs').Counts} Counts */

/**
 * @param {string[]} wanted suite files
 * @param {Counts} counts
 * @returns {string[]} those of them that ran no test
 */
const missing = (wanted, counts) => {
  /** @param {string} file */
  const bare = (file) =>
    path
      .relative(root, path.resolve(root, file))
      .replaceAll('\\', '/')
      .replace(/^(dist|\.cache\/check)\/test\//, '')
      .replace(/\.[jt]sx?$/, '');
  const seen = new Set(counts.files.map(bare));
  return wanted.filter((file) => !seen.has(bare(file)));
};

/** @param {string} file */
const readCounts = (file) => {
  try {
    return /** @type {Counts} */ (JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
};

/**
 * Failures outside the tests themselves.
 * @param {Tier} tier
 * @param {Counts | undefined} counts
 * @param {{ code: number | null, late: boolean, wanted: string[] | undefined }} end wanted: suite files that must run
 *   a test; undefined where only some titles were asked for
 * @returns {string[]}
 */
const faults = (tier, counts, { code, late, wanted }) => {
  if (late) {
    return [`the ${tier.name} tier did not end within its time limit`];
  }
  if (counts === undefined) {
    return [`the ${tier.name} tier could not start or broke off (exit code ${code})`];
  }
  const found = missing(wanted ?? [], counts).map((file) => `${file}: no test of this file was run`);
  if (wanted !== undefined && counts.passed + counts.failed + found.length === 0) {
    found.push(`the ${tier.name} tier has no tests`);
  }
  if (code !== 0 && counts.failed === 0) {
    found.push(`the ${tier.name} tier ended with exit code ${code} although no test failed`);
  }
  return found;
};

/**
 * @param {() => void} work
 * @param {number} ms
 */
const afterTime = (work, ms) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};

/**
 * Runs a tier that has a script, in a separate process. Anything that stops it early counts as a failure.
 * @param {Tier} tier
 * @param {object} options
 * @param {NodeJS.ProcessEnv} options.env
 * @param {number} options.pace by what the time limit is multiplied
 * @param {string[]} [options.files] the only suite files to run, none for all
 * @param {string} [options.results] output folder for the counts
 * @param {(work: () => void, ms: number) => () => void} [options.after] runs work when the time limit is over, unless it
 *   is canceled by then; default: a timer
 * @returns {Promise<{ counts: Counts, output: string, cpuSeconds: number | undefined }>}
 */
export const runScript = async (
  tier,
  { env, pace, files = [], results = path.join(root, 'test-results'), after = afterTime },
) => {
  const file = path.join(results, `${tier.name}.json`);
  mkdirSync(results, { recursive: true });
  rmSync(file, { force: true });
  const child = spawn(process.execPath, ['--enable-source-maps', tier.script ?? '', tier.name], {
    cwd: root,
    env: { ...env, TONWB_RESULT: file, ...(files.length > 0 ? { TONWB_FILES: files.join(',') } : {}) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pid = child.pid ?? 0;
  const forget = onEnd(() => endProcessTree(pid));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text));
  }
  /** @type {number | undefined} */
  let used;
  const meter = setInterval(
    () => void cpuSeconds(pid).then((now) => (used = Math.max(now ?? 0, used ?? 0) || undefined)),
    500,
  );
  let late = false;
  const cancelLimit = after(
    () => {
      late = true;
      void endProcessTree(pid);
    },
    tier.limitS * 1000 * pace,
  );
  /** @type {number | null} */
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
    // A process that a test has left behind holds the pipes open.
    child.once('exit', () =>
      setTimeout(() => [child.stdout, child.stderr].forEach((one) => one.destroy()), 10_000).unref(),
    );
  });
  cancelLimit();
  clearInterval(meter);
  forget();
  const counted = readCounts(file);
  const all = files.length > 0 ? files : suiteFiles(tier.name);
  const wanted = env['TONWB_GREP'] === undefined ? all : undefined;
  const extra = faults(tier, counted, { code, late, wanted });
  const counts = counted ?? { passed: 0, failed: 0, failures: [], files: [] };
  counts.failed += extra.length;
  counts.failures.push(...extra);
  return { counts, output, cpuSeconds: used };
};
