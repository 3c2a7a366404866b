import { rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildProject } from './build.mjs';
import { endWithParent } from './endWithParent.mjs';
import { cacheFolder, root } from './root.mjs';
import { runTier } from './runTier.mjs';
import { table } from './table.mjs';
import { tiers } from './tiers.mjs';

/** @typedef {import('./runTier.mjs').TierResult} TierResult */

/**
 * Tiers that run concurrently; those in one list run one after the other. ui runs alone, because it is sensitive to
 * timing.
 */
const stages = [[['unit', 'check', 'host'], ['conformance']], [['ui']]];

/** @param {string[]} args */
const readArguments = (args) => {
  const { values, positionals } = parseArgs({
    args,
    options: {
      long: { type: 'boolean', default: false },
      pictures: { type: 'boolean', default: false },
      grep: { type: 'string' },
    },
    allowPositionals: true,
  });
  const unknown = positionals.filter((name) => !tiers.some((tier) => tier.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `There is no tier ${unknown.join(', ')}; the tiers are ${tiers.map((t) => t.name).join(', ')}.`,
    );
  }
  return { ...values, names: positionals.length > 0 ? positionals : tiers.map((tier) => tier.name) };
};

/** @param {string} text */
const print = (text) => void process.stdout.write(text);

/** @param {TierResult[]} results */
const summary = (results) => {
  const lines = results.flatMap(({ tier, counts }) =>
    counts.failures.map((title) => `  ${tier.name}: ${title}`),
  );
  if (lines.length > 0) {
    print(`\nFailed:\n${lines.join('\n')}\n`);
  }
  const rows = results.map(({ tier, counts, seconds }) => [
    tier.name,
    ...[counts.passed, counts.failed].map(String),
    `${seconds.toFixed(1)} s`,
  ]);
  print(`\n${table(['tier', 'passed', 'failed', 'time'], rows, new Set([1, 2, 3]))}`);
};

/**
 * Builds everything, runs the tiers, and prints their output, a table, and the total on the last line.
 * @param {string[]} args
 * @returns {Promise<number>} the exit code
 */
export const runTiers = async (args) => {
  const { long, pictures, grep, names } = readArguments(args);
  await endWithParent();
  if (names.length === tiers.length) {
    rmSync(path.join(root, 'test-results'), { recursive: true, force: true });
  }
  await buildProject('--tests');
  // Not the user's own; what an earlier run compiled is compiled again.
  const commandCache = path.join(cacheFolder, 'commands');
  rmSync(commandCache, { recursive: true, force: true });
  const env = {
    ...process.env,
    TON_CACHE_FOLDER: commandCache,
    FORCE_COLOR: process.stdout.isTTY ? '1' : '0',
    ...(long ? { TONWB_LONG: '1' } : {}),
    ...(pictures ? { TONWB_PICTURES: '1' } : {}),
    ...(grep === undefined ? {} : { TONWB_GREP: grep }),
  };
  /** @type {TierResult[]} */
  const results = [];
  /** @param {string} name */
  const runOne = async (name) => {
    const tier = tiers.find((one) => one.name === name);
    if (tier === undefined || !names.includes(name)) {
      return;
    }
    const alone = names.length === 1;
    const heading = `\n── ${name} ${'─'.repeat(60 - name.length)}\n`;
    if (alone) {
      print(heading);
    }
    const result = await runTier(tier, { env, long, ...(alone ? { onOutput: print } : {}) });
    results.push(result);
    if (!alone) {
      print(`${heading}${result.output}`);
    }
  };
  for (const stage of stages) {
    await Promise.all(
      stage.map(async (lane) => {
        for (const name of lane) {
          await runOne(name);
        }
      }),
    );
  }
  results.sort((a, b) => tiers.indexOf(a.tier) - tiers.indexOf(b.tier));
  summary(results);
  const sum = (/** @type {'passed' | 'failed'} */ key) =>
    results.reduce((total, { counts }) => total + counts[key], 0);
  print(`\n${sum('passed')} passed, ${sum('failed')} failed\n`);
  return sum('failed') === 0 ? 0 : 1;
};
