import { rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildProject } from './build.mjs';
import { endWithParent } from './endWithParent.mjs';
import { root } from './root.mjs';
import { runTier } from './runTier.mjs';
import { table } from './table.mjs';
import { tiers } from './tiers.mjs';

/** @typedef {import('./runTier.mjs').TierResult} TierResult */
/** @typedef {import('./tiers.mjs').Tier} Tier */

/** @typedef {import('./suiteFiles.mjs').Share} Share */

/** Tiers that run concurrently, begun in this order; ui runs after the others, because it is sensitive to timing. */
const stages = [['unit', 'conformance', 'check', 'host'], ['ui']];

/** Processes at the same time: a test mostly waits for one process of its own, so two keep two cores busy. */
const lanes = 2;

/** @param {string[]} args */
const readArguments = (args) => {
  const { values, positionals } = parseArgs({
    args,
    options: { long: { type: 'boolean', default: false }, grep: { type: 'string' } },
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

/** @typedef {{ tier: Tier, share?: Share }} Part */

/**
 * @param {Tier} tier
 * @param {number} [of]
 * @returns {Part[]}
 */
const partsOf = (tier, of = 1) =>
  of === 1 ? [{ tier }] : Array.from({ length: of }, (_, index) => ({ tier, share: { index, of } }));

/**
 * The results of a tier's parts as one.
 * @param {TierResult[]} parts
 * @returns {TierResult[]} none if the tier did not run
 */
const sumOf = (parts) => {
  const [first] = parts;
  return first === undefined
    ? []
    : [
        {
          ...first,
          seconds: parts.reduce((sum, { seconds }) => sum + seconds, 0),
          counts: {
            passed: parts.reduce((sum, { counts }) => sum + counts.passed, 0),
            failed: parts.reduce((sum, { counts }) => sum + counts.failed, 0),
            failures: parts.flatMap(({ counts }) => counts.failures),
            files: parts.flatMap(({ counts }) => counts.files),
          },
        },
      ];
};

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
  const { long, grep, names } = readArguments(args);
  await endWithParent();
  if (names.length === tiers.length) {
    rmSync(path.join(root, 'test-results'), { recursive: true, force: true });
  }
  await buildProject('--tests');
  const env = {
    ...process.env,
    FORCE_COLOR: process.stdout.isTTY ? '1' : '0',
    ...(long ? { TONWB_LONG: '1' } : {}),
    ...(grep === undefined ? {} : { TONWB_GREP: grep }),
  };
  /** @type {TierResult[]} */
  const results = [];
  const alone = names.length === 1;
  /** @param {Part} part */
  const runPart = async ({ tier, share }) => {
    const name = share === undefined ? tier.name : `${tier.name} ${share.index + 1}/${share.of}`;
    const heading = `\n── ${name} ${'─'.repeat(60 - name.length)}\n`;
    if (alone) {
      print(heading);
    }
    const result = await runTier(tier, { env, long, ...(alone ? { onOutput: print } : {}) }, share);
    results.push(result);
    if (!alone) {
      print(`${heading}${result.output}`);
    }
  };
  for (const stage of stages) {
    const queue = stage
      .flatMap((name) => tiers.filter((tier) => tier.name === name && names.includes(name)))
      .flatMap((tier) => partsOf(tier, alone ? 1 : tier.shares));
    const work = async () => {
      for (let part = queue.shift(); part !== undefined; part = queue.shift()) {
        await runPart(part);
      }
    };
    await Promise.all(Array.from({ length: lanes }, work));
  }
  summary(tiers.flatMap((tier) => sumOf(results.filter((one) => one.tier === tier))));
  const sum = (/** @type {'passed' | 'failed'} */ key) =>
    results.reduce((total, { counts }) => total + counts[key], 0);
  print(`\n${sum('passed')} passed, ${sum('failed')} failed\n`);
  return sum('failed') === 0 ? 0 : 1;
};
