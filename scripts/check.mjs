// npm run check: types, lint, format, regular expressions, and unused code, each a counted check.
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setUp } from './setup.mjs';
import { root } from './lib/root.mjs';
import { say } from './lib/say.mjs';

await setUp();

const checks = [
  { name: 'types', command: ['typescript/bin/tsc', '-p', '.'] },
  {
    name: 'lint',
    command: [
      'eslint/bin/eslint.js',
      '--max-warnings=0',
      '--cache',
      '--cache-location',
      '.cache/eslint',
      '.',
    ],
  },
  { name: 'format', command: ['prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'] },
  { name: 'regular expressions', command: ['../scripts/lib/scanRegExps.mjs'] },
  { name: 'unused', command: ['knip/bin/knip.js', '--no-progress'] },
];

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
    const child = spawn(process.execPath, [file, ...args], { cwd: root });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', () => resolve(false));
    child.once('exit', (code) => {
      process.stdout.write(`  ${code === 0 ? '✔' : '✘'} ${name}\n${code === 0 ? '' : output}`);
      resolve(code === 0);
    });
  });

const results = await Promise.all(checks.map(holds));
const failures = checks.filter((_, index) => results[index] !== true).map(({ name }) => name);
if (process.env['TONWB_RESULT'] !== undefined) {
  const counts = {
    passed: checks.length - failures.length,
    failed: failures.length,
    failures,
    files: [],
  };
  writeFileSync(process.env['TONWB_RESULT'], JSON.stringify(counts));
}
process.exit(failures.length === 0 ? 0 : 1);
