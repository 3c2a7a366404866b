// Sets up a fresh clone. Runs before node_modules exists, so it imports nothing from there.
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runNpm } from './lib/npm.mjs';
import { root } from './lib/root.mjs';
import { say } from './lib/say.mjs';

const modules = path.join(root, 'node_modules');
const lock = path.join(root, 'package-lock.json');
const stamp = path.join(modules, '.ton-workbench-setup');

/** @param {string} version */
const numbers = (version) =>
  version
    .replace(/^[^\d]*/, '')
    .split('.')
    .map(Number);

/** Ends the process with one clear sentence if Node.js is too old. */
const checkNode = () => {
  const wanted = String(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).engines.node);
  const have = numbers(process.versions.node);
  const least = numbers(wanted);
  const differs = least.findIndex((part, index) => part !== (have[index] ?? 0));
  if (differs !== -1 && (have[differs] ?? 0) < (least[differs] ?? 0)) {
    say(`TON Workbench needs Node.js ${least.join('.')} or newer; this is ${process.versions.node}.`);
    process.exit(1);
  }
};

const lockHash = () => createHash('sha256').update(readFileSync(lock)).digest('hex');

/** @returns {boolean} whether node_modules matches package-lock.json */
const isCurrent = () => {
  try {
    if (readFileSync(stamp, 'utf8') === lockHash()) {
      return true;
    }
  } catch {
    // Not installed by us: npm's own record shows how old the installation is.
  }
  try {
    return statSync(path.join(modules, '.package-lock.json')).mtimeMs >= statSync(lock).mtimeMs;
  } catch {
    return false;
  }
};

/** @returns {boolean} a linked node_modules belongs to another checkout (a worktree's): never replaced */
const isLinked = () => lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/**
 * Checks the Node.js version and installs the dependencies if they are missing or older than the lock file.
 * @returns {Promise<void>}
 */
export const setUp = async () => {
  checkNode();
  if (isLinked() || isCurrent()) {
    return;
  }
  say('Installing the dependencies (npm ci)…');
  await runNpm(['ci', '--include=dev', '--ignore-scripts'], { cwd: root });
  writeFileSync(stamp, lockHash());
};
