import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { buildProject } from './build.mjs';
import { changedFiles, hashesOf, reachFile, readGraph, suitesReached } from './changedSuites.mjs';
import { endWithParent } from './endWithParent.mjs';
import { measurePace } from './pace.mjs';
import { cacheFolder, root } from './root.mjs';
import { runLanes } from './runLanes.mjs';
import { durationsFile, longestFirst, shardOf, suiteFiles } from './suiteFiles.mjs';
import { table } from './table.mjs';
import { tierNamed, tiers } from './tiers.mjs';

/** @typedef {import('./runLanes.mjs').Job} Job */
/** @typedef {import('./runLanes.mjs').JobResult} JobResult */

/** @param {string[]} args */
const readArguments = (args) => {
  const { values, positionals } = parseArgs({
    args,
    options: {
      long: { type: 'boolean', default: false },
      pictures: { type: 'boolean', default: false },
      durations: { type: 'boolean', default: false },
      grep: { type: 'string' },
      shard: { type: 'string' },
      cores: { type: 'string' },
      changed: { type: 'boolean', default: false },
      since: { type: 'string' },
      record: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  return {
    ...values,
    changed: values.changed || values.since !== undefined,
    shard: values.shard === undefined ? undefined : readShard(values.shard),
    cores: Math.max(1, Number(values.cores ?? Math.min(availableParallelism(), 4))),
    names: positionals.length > 0 ? positionals : tiers.map((tier) => tier.name),
  };
};

/** @param {string} text such as `1/2` */
const readShard = (text) => {
  const [index = 0, count = 0] = text.split('/').map(Number);
  if (!(Number.isInteger(index) && Number.isInteger(count) && index >= 1 && index <= count)) {
    throw new Error(`--shard ${text} is not of the form 1/2: the first of two parts.`);
  }
  return { index, count };
};

/** @param {string} file */
const bare = (file) => file.replace(/^test\//, '').replace(/\.test\.tsx?$/, '');

/**
 * @param {string[]} names of tiers, or of folders and files below test: `unit`, `unit/stack`, `ui/gas`
 * @returns {string[]} suite files of all tiers that have that name or are in that folder
 */
const suitesNamed = (names) => {
  const wanted = names.map(bare);
  wanted.forEach((name) => tierNamed(name.split('/')[0]));
  return tiers
    .flatMap(({ name }) => suiteFiles(name))
    .filter((file) => wanted.some((name) => `${bare(file)}/`.startsWith(`${name}/`)));
};

/**
 * @param {string[]} suites
 * @param {{ shard: { index: number, count: number } | undefined, record: boolean }} options
 * @returns {Job[]} in the order in which they start
 */
const jobsOf = (suites, { shard, record }) =>
  tiers.flatMap((/** @type {import('./tiers.mjs').Tier} */ tier) => {
    const all = suiteFiles(tier.name);
    const files = suites.filter((file) => all.includes(file));
    if (tier.script === undefined || (record && tier.name === 'host')) {
      return (shard === undefined ? longestFirst(files) : shardOf(files, shard)).map((file) => ({
        tier,
        files: [file],
      }));
    }
    const isHere = shard === undefined || shard.index === 1;
    return files.length > 0 && isHere ? [{ tier, files: files.length < all.length ? files : [] }] : [];
  });

/** @param {string} text */
const print = (text) => void process.stdout.write(text);

/** @param {number | undefined} seconds */
const inSeconds = (seconds) => (seconds === undefined ? '' : `${seconds.toFixed(1)} s`);

/** @param {Job} job */
const nameOf = ({ tier, files }) => (files.length === 0 ? tier.name : files.map(bare).join(', '));

/**
 * A line for what passed; all that it printed for what did not, or if it is all that was asked for.
 * @param {JobResult} result
 * @param {boolean} whole
 */
const printResult = ({ job, counts, output, seconds }, whole) => {
  const failed = counts.failed === 0 ? '' : `, ${counts.failed} failed`;
  print(whole || counts.failed > 0 || job.tier.script !== undefined ? output : '');
  print(
    `${counts.failed === 0 ? '✔' : '✘'} ${nameOf(job)}: ${counts.passed} passed${failed}, ${inSeconds(seconds)}\n`,
  );
};

/** @param {JobResult[]} results */
const summary = (results) => {
  const lines = results.flatMap(({ job, counts }) =>
    counts.failures.map((words) => `  ${nameOf(job)}: ${words.replaceAll('\n', '\n      ')}`),
  );
  if (lines.length > 0) {
    print(`\nFailed:\n${lines.join('\n')}\n`);
  }
  /** @param {JobResult[]} some @param {(one: JobResult) => number} figure */
  const sum = (some, figure) => some.reduce((total, one) => total + figure(one), 0);
  const rows = tiers
    .map(({ name }) => ({ name, some: results.filter(({ job }) => job.tier.name === name) }))
    .filter(({ some }) => some.length > 0)
    .map(({ name, some }) => [
      name,
      String(sum(some, ({ counts }) => counts.passed)),
      String(sum(some, ({ counts }) => counts.failed)),
      inSeconds(sum(some, ({ seconds }) => seconds)),
      inSeconds(some[0]?.cpuSeconds === undefined ? undefined : sum(some, (one) => one.cpuSeconds ?? 0)),
    ]);
  print(`\n${table(['tier', 'passed', 'failed', 'lane time', 'CPU time'], rows, new Set([1, 2, 3, 4]))}`);
  const slowest = [...results].sort((a, b) => b.seconds - a.seconds).slice(0, 10);
  const slowRows = slowest.map((one) => [nameOf(one.job), inSeconds(one.seconds), inSeconds(one.cpuSeconds)]);
  print(`\n${table(['slowest', 'time', 'CPU time'], slowRows, new Set([1, 2]))}`);
};

/** @param {JobResult[]} results of a whole run */
const keepDurations = (results) => {
  const kept = results
    .filter(({ job, seconds }) => job.files.length === 1 && seconds >= 2)
    .sort((a, b) => b.seconds - a.seconds)
    .map(({ job, seconds }) => [job.files[0], Math.round(seconds)]);
  writeFileSync(durationsFile, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
};

/** @param {Job} job */
const recordFolder = (job) => path.join(cacheFolder, 'record', nameOf(job).replaceAll('/', '+'));

/**
 * Keeps which modules ran in each suite, for `--changed`.
 * @param {JobResult[]} results
 */
const keepReach = (results) => {
  /** @type {Record<string, string[]>} */
  const ran = {};
  for (const { job } of results.filter((one) => one.counts.failed === 0)) {
    const folder = recordFolder(job);
    const lines = readdirSync(folder).flatMap((file) =>
      readFileSync(path.join(folder, file), 'utf8').split('\n'),
    );
    const modules = [...new Set(lines)].filter((line) => line.startsWith('src/')).sort();
    job.files.forEach((file) => (ran[file] = modules));
  }
  writeFileSync(reachFile, JSON.stringify({ ran, hashes: hashesOf(readGraph()) }));
};

/**
 * @param {Job} job
 * @returns {NodeJS.ProcessEnv} what makes its processes record
 */
const recordEnvironment = (job) => ({
  TONWB_RECORD: recordFolder(job),
  NODE_OPTIONS: `--import=${pathToFileURL(path.join(import.meta.dirname, 'recordReach.mjs')).href}`,
});

/**
 * Builds everything, runs the tiers, and prints what each file did, tables, and the total on the last line.
 * @param {string[]} args
 * @returns {Promise<number>} the exit code
 */
export const runTiers = async (args) => {
  const started = performance.now();
  const { long, pictures, durations, grep, shard, cores, names, changed, since, record } =
    readArguments(args);
  let suites = suitesNamed(names);
  await endWithParent();
  if (names.length === tiers.length) {
    rmSync(path.join(root, 'test-results'), { recursive: true, force: true });
  }
  await buildProject('--tests');
  if (changed) {
    const files = await changedFiles(since);
    const all = suites.length;
    suites = suitesReached(suites, files);
    print(`${files.length} files changed; they can reach ${suites.length} of ${all} suites.\n`);
  }
  const jobs = jobsOf(suites, { shard, record });
  // Not the user's own; what an earlier run compiled is compiled again.
  const commandCache = path.join(cacheFolder, 'commands');
  rmSync(commandCache, { recursive: true, force: true });
  rmSync(path.join(cacheFolder, 'record'), { recursive: true, force: true });
  const whole = grep !== undefined || jobs.length === 1;
  const measured = Number(process.env['TONWB_PACE'] ?? measurePace());
  const pace = measured * (long || record ? 10 : 1);
  const results = await runLanes(jobs, {
    env: {
      ...process.env,
      TON_CACHE_FOLDER: commandCache,
      TONWB_PACE: String(pace),
      FORCE_COLOR: process.stdout.isTTY ? '1' : '0',
      ...(long ? { TONWB_LONG: '1' } : {}),
      ...(pictures ? { TONWB_PICTURES: '1' } : {}),
      ...(grep === undefined ? {} : { TONWB_GREP: grep }),
    },
    // Each file in a process of its own: only then is it known what ran for it.
    ...(record ? { fresh: recordEnvironment } : {}),
    pace,
    cores,
    onResult: (result) => printResult(result, whole),
  });
  if (durations) {
    keepDurations(results);
  }
  if (record) {
    keepReach(results.filter(({ job }) => job.tier.name !== 'check'));
  }
  summary(results);
  const passed = results.reduce((total, { counts }) => total + counts.passed, 0);
  const failed = results.reduce((total, { counts }) => total + counts.failed, 0);
  const nothing = passed + failed === 0 && !changed;
  const took = inSeconds((performance.now() - started) / 1000);
  print(`\n${cores} cores, each ${measured} times as slow as the reference; ${took} in all\n`);
  print(`\n${passed} passed, ${nothing ? 1 : failed} failed\n`);
  return failed === 0 && !nothing ? 0 : 1;
};
