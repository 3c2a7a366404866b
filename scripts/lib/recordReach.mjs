// Loaded with `node --import` into every process of `npm test -- --record`: keeps which modules of the build have run
// a function, a line each, in the folder that TONWB_RECORD names. Lanes and their children, workers included.
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { threadId } from 'node:worker_threads';

const folder = process.env['TONWB_RECORD'] ?? '';
const file = path.join(folder, `${process.pid}-${threadId}.txt`);
const ours = /^(\/|file:).*\/(dist|extension)\//;
const session = new Session();

/** @typedef {{ url: string, functions: { ranges: { startOffset: number, count: number }[] }[] }} Script */

/** Where the modules begin in a built file: esbuild names each in a comment. @type {Map<string, [number, string][]>} */
const marks = new Map();

/** @param {string} url */
const marksOf = (url) => {
  const known = marks.get(url);
  if (known !== undefined) {
    return known;
  }
  /** @type {[number, string][]} */
  const found = [];
  try {
    const text = readFileSync(url.startsWith('file:') ? fileURLToPath(url) : url, 'utf8');
    for (const { index, 1: name } of text.matchAll(/^\/\/ ((?:src|test)\/\S+)$/gm)) {
      found.push([index, name ?? '']);
    }
  } catch {
    // Gone meanwhile: a temporary folder's.
  }
  marks.set(url, found);
  return found;
};

/** @type {Set<string>} */
const kept = new Set();

/** In this mode the engine tells each function once. */
const take = () => {
  session.post('Profiler.takePreciseCoverage', (error, answer) => {
    const scripts = /** @type {Script[]} */ (error === null ? answer.result : []);
    const added = new Set();
    for (const { url, functions } of scripts.filter((one) => ours.test(one.url))) {
      for (const { ranges } of functions) {
        const [whole] = ranges;
        if (whole !== undefined && whole.startOffset > 0 && whole.count > 0) {
          const name = marksOf(url).findLast(([start]) => start <= whole.startOffset)?.[1];
          if (name !== undefined && !kept.has(name)) {
            kept.add(name);
            added.add(name);
          }
        }
      }
    }
    if (added.size > 0) {
      appendFileSync(file, [...added, ''].join('\n'));
    }
  });
};

if (folder !== '') {
  mkdirSync(folder, { recursive: true });
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false });
  // Processes that are killed have no last moment.
  setInterval(take, 1000).unref();
  process.on('exit', take);
  // Children that start without these options: commands and workers inherit the environment.
  const own = `--import=${pathToFileURL(fileURLToPath(import.meta.url)).href}`;
  if (!(process.env['NODE_OPTIONS'] ?? '').includes(own)) {
    process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} ${own}`.trim();
  }
}
