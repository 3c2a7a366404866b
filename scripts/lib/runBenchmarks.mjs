import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildProject } from './build.mjs';
import { onEnd } from './cleanUp.mjs';
import { endWithParent } from './endWithParent.mjs';
import { endProcessTree } from './processTree.mjs';
import { root } from './root.mjs';
import { say } from './say.mjs';
import { table } from './table.mjs';

/** @typedef {import('../../bench/support/report').BenchResult} BenchResult */

/** Time limits for all of them together, if none is named, and for each, in milliseconds. */
const totalLimit = 9.5 * 60_000;
const oneLimit = 4 * 60_000;

/**
 * The limit of a benchmark, in milliseconds: its first line may say that it takes longer.
 * @param {string} file the built benchmark, below the folder of all
 */
const limitOf = (file) => {
  const source = readFileSync(path.join(root, 'bench', file.replace(/js$/, 'ts')), 'utf8');
  const minutes = /^\/\/ Takes up to (\d+) minutes/.exec(source)?.[1];
  return minutes === undefined ? oneLimit : Number(minutes) * 60_000;
};

/**
 * @param {string} file the built benchmark
 * @param {string} resultFile
 * @param {number} limit
 * @returns {Promise<string | undefined>} the failure
 */
const run = (file, resultFile, limit) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['--enable-source-maps', file], {
      cwd: root,
      env: { ...process.env, TONWB_BENCH_RESULT: resultFile },
      stdio: ['ignore', process.stderr.fd, 'inherit'],
    });
    const end = () => (child.pid === undefined ? undefined : endProcessTree(child.pid));
    const forget = onEnd(end);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      void end();
    }, limit);
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code) => {
      clearTimeout(timer);
      forget();
      resolve(
        late
          ? `did not end within ${Math.round(limit / 1000)} s`
          : code === 0
            ? undefined
            : `ended with ${code}`,
      );
    });
  });

/** @param {string} file */
const readRows = (file) => {
  try {
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return lines.map((line) => /** @type {BenchResult} */ (JSON.parse(line)));
  } catch {
    return [];
  }
};

/** @param {number | null} value */
const number = (value) => (value === null ? '' : value >= 100 ? value.toFixed(0) : value.toPrecision(3));

/** @param {BenchResult[]} rows */
const format = (rows) =>
  table(
    ['what', 'ours', 'peer', 'unit', 'ours/peer', 'goal', 'met', 'beside'],
    rows.map((row) => [
      row.name,
      number(row.ours),
      number(row.peer),
      row.unit,
      number(row.ratio),
      row.goal ?? '',
      row.met === null ? '' : row.met ? 'yes' : 'no',
      row.peerName ?? '',
    ]),
    new Set([1, 2, 4]),
  );

/**
 * @param {string[]} args
 * @returns {Promise<number>} the exit code: 1 if a benchmark failed to run; a missed goal is not an error
 */
export const runBenchmarks = async (args) => {
  const { values, positionals } = parseArgs({
    args,
    options: { json: { type: 'string' } },
    allowPositionals: true,
  });
  await endWithParent();
  await buildProject('--production', '--tests');
  const folder = path.join(root, 'dist/test/bench');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.bench.js'))
    .filter((file) => positionals.length === 0 || positionals.some((name) => file.includes(name)))
    // Those that take longest come last.
    .sort((one, other) => limitOf(one) - limitOf(other) || (one < other ? -1 : 1));
  const scratch = await mkdtemp(path.join(tmpdir(), 'ton-workbench-bench-'));
  onEnd(() => rm(scratch, { recursive: true, force: true }));
  const end = Date.now() + (positionals.length === 0 ? totalLimit : Infinity);
  /** @type {BenchResult[]} */
  const rows = [];
  const broken = [];
  for (const [index, file] of files.entries()) {
    say(`${file.replace(/\.bench\.js$/, '')}…`);
    const resultFile = path.join(scratch, `${index}.jsonl`);
    const fault = await run(
      path.join(folder, file),
      resultFile,
      Math.max(1, Math.min(limitOf(file), end - Date.now())),
    );
    const measured = readRows(resultFile);
    rows.push(...measured);
    if (fault !== undefined || measured.length === 0) {
      broken.push(`${file}: ${fault ?? 'measured nothing'}`);
    }
  }
  process.stdout.write(format(rows));
  if (values.json !== undefined) {
    writeFileSync(values.json, `${JSON.stringify(rows, undefined, 2)}\n`);
  }
  broken.forEach((line) => say(`Broken: ${line}`));
  return broken.length === 0 && files.length > 0 ? 0 : 1;
};
