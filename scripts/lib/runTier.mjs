import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { onEnd } from './cleanUp.mjs';
import { endProcessTree } from './processTree.mjs';
import { root } from './root.mjs';

/** @typedef {import('./tiers.mjs').Tier} Tier */
/** @typedef {import('./countingReporter.mjs').Counts} Counts */
/** @typedef {{ tier: Tier, counts: Counts, output: string, seconds: number }} TierResult */

/** @param {string} folder */
const suiteFiles = (folder) => {
  try {
    return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.test\.tsx?$/.test(file))
      .map((file) => path.posix.join(folder, file.replaceAll('\\', '/')));
  } catch {
    return [];
  }
};

/**
 * @param {Tier} tier
 * @param {Counts} counts
 * @returns {string[]} suite files of the tier that ran no test
 */
const missing = (tier, counts) => {
  /** @param {string} file */
  const bare = (file) =>
    path
      .relative(root, path.resolve(root, file))
      .replaceAll('\\', '/')
      .replace(/^(dist|\.cache\/check)\/test\//, '')
      .replace(/\.[jt]sx?$/, '');
  const seen = new Set(counts.files.map(bare));
  return suiteFiles(`test/${tier.name}`).filter((file) => !seen.has(bare(file)));
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
 * @param {{ code: number | null, late: boolean, grep: boolean }} end
 * @returns {string[]}
 */
const faults = (tier, counts, { code, late, grep }) => {
  if (late) {
    return [`the ${tier.name} tier did not end within its time limit`];
  }
  if (counts === undefined) {
    return [`the ${tier.name} tier could not start or broke off (exit code ${code})`];
  }
  const found = [];
  if (!grep) {
    found.push(...missing(tier, counts).map((file) => `${file}: no test of this file was run`));
    if (counts.passed + counts.failed === 0) {
      found.push(`the ${tier.name} tier has no tests`);
    }
  }
  if (code !== 0 && counts.failed === 0) {
    found.push(`the ${tier.name} tier ended with exit code ${code} although no test failed`);
  }
  return found;
};

/**
 * Runs a tier in a separate process. Anything that stops it early counts as a failure.
 * @param {Tier} tier
 * @param {{ env: NodeJS.ProcessEnv, long: boolean, onOutput?: (text: string) => void, results?: string }} options
 *   results: output folder for the counts
 * @returns {Promise<TierResult>}
 */
export const runTier = async (tier, { env, long, onOutput, results = path.join(root, 'test-results') }) => {
  const started = performance.now();
  const file = path.join(results, `${tier.name}.json`);
  mkdirSync(results, { recursive: true });
  rmSync(file, { force: true });
  const child = spawn(process.execPath, ['--enable-source-maps', tier.script, tier.name], {
    cwd: root,
    env: { ...env, TONWB_RESULT: file },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pid = child.pid ?? 0;
  const forget = onEnd(() => endProcessTree(pid));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      output += text;
      onOutput?.(text);
    });
  }
  let late = false;
  const limit = setTimeout(
    () => {
      late = true;
      void endProcessTree(pid);
    },
    tier.limitS * 1000 * (long ? 10 : 1),
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
  clearTimeout(limit);
  forget();
  const counted = readCounts(file);
  const extra = faults(tier, counted, { code, late, grep: env['TONWB_GREP'] !== undefined });
  const counts = counted ?? { passed: 0, failed: 0, failures: [], files: [] };
  counts.failed += extra.length;
  counts.failures.push(...extra);
  return { tier, counts, output, seconds: (performance.now() - started) / 1000 };
};
