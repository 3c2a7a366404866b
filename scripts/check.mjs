// npm run check: types, lint, format, regular expressions, and unused code, each a counted check, and the tests of
// test/check.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setUp } from './setup.mjs';
import { root } from './lib/root.mjs';
import { say } from './lib/say.mjs';

await setUp();

const checks = [
  // The compiler in Go; the package of the name typescript is the last one with an API in JavaScript.
  {
    name: 'types',
    command: ['typescript-native/bin/tsc', '-p', '.', '--tsBuildInfoFile', '.cache/types.tsbuildinfo'],
  },
  { name: 'lint', command: ['oxlint/bin/oxlint'] },
  { name: 'format', command: ['../scripts/lib/checkFormat.mjs'] },
  { name: 'regular expressions', command: ['../scripts/lib/scanRegExps.mjs'] },
  { name: 'unused', command: ['knip/bin/knip.js', '--no-progress'] },
];
const house = { name: 'house rules', command: ['../scripts/lib/checkHouse.mjs'] };
const houseResult = path.join(root, '.cache/check/result.json');

/**
 * @param {(typeof checks)[number]} check
 * @returns {Promise<boolean>}
 */
const holds = ({ name, command: [script = '', ...args] }) =>
  new Promise((resolve) => {
    const file = path.join(root, 'node_modules', script);
    if (!existsSync(file)) {
      say(`${name}: ${script} is not installed.`);
      resolve(false);
      return;
    }
    const env = { ...process.env, TONWB_RESULT: houseResult };
    // A tenth of the time of the heavier ones was the collection of what had just been made.
    const child = spawn(process.execPath, ['--max-semi-space-size=64', file, ...args], { cwd: root, env });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', () => resolve(false));
    child.once('exit', (code) => {
      process.stdout.write(`  ${code === 0 ? '✔' : '✘'} ${name}\n${code === 0 ? '' : output}`);
      resolve(code === 0);
    });
  });

/** @returns {import('./lib/countingReporter.mjs').Counts} */
const readHouse = () => {
  try {
    return JSON.parse(readFileSync(houseResult, 'utf8'));
  } catch {
    // They broke off, and said why.
    return { passed: 0, failed: 1, failures: [house.name], files: [] };
  }
};

rmSync(houseResult, { force: true });
// npm test has something else for the other cores.
const isAlone = process.env['TONWB_RESULT'] === undefined;
/** @type {Promise<boolean>[]} */
const running = [];
for (const check of [...checks, house]) {
  running.push(holds(check));
  await (isAlone ? undefined : running.at(-1));
}
const results = await Promise.all(running);
const failures = checks.filter((_, index) => results[index] !== true).map(({ name }) => name);
const tests = readHouse();
const counts = {
  passed: checks.length - failures.length + tests.passed,
  failed: failures.length + tests.failed,
  failures: [...failures, ...tests.failures],
  files: tests.files,
};
if (process.env['TONWB_RESULT'] !== undefined) {
  writeFileSync(process.env['TONWB_RESULT'], JSON.stringify(counts));
}
process.exit(counts.failed === 0 ? 0 : 1);
