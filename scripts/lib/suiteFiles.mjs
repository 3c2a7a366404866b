import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.mjs';

/** Where the seconds are kept that a file took, for the order of the next run; files of under two seconds are left out. */
export const durationsFile = path.join(root, 'test/durations.json');

/**
 * @param {string} tier
 * @returns {string[]} its suite files, such as `test/unit/base/text.test.ts`
 */
export const suiteFiles = (tier) => {
  try {
    return readdirSync(path.join(root, 'test', tier), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.test\.tsx?$/.test(file))
      .map((file) => path.posix.join('test', tier, file.replaceAll('\\', '/')))
      .sort();
  } catch {
    return [];
  }
};

/** @returns {Record<string, number>} seconds by file */
const readDurations = () => {
  try {
    return /** @type {Record<string, number>} */ (JSON.parse(readFileSync(durationsFile, 'utf8')));
  } catch {
    return {};
  }
};

/**
 * @param {string[]} files
 * @returns {string[]} what took longest first, so that lanes end together
 */
export const longestFirst = (files) => {
  const seconds = readDurations();
  return [...files].sort((a, b) => (seconds[b] ?? 0) - (seconds[a] ?? 0));
};

/**
 * A part of the files, for machines that share a run: the parts are about equally long.
 * @param {string[]} files
 * @param {{ index: number, count: number }} shard index from 1
 * @returns {string[]}
 */
export const shardOf = (files, { index, count }) => {
  const seconds = readDurations();
  const loads = Array.from({ length: count }, () => 0);
  return longestFirst(files).filter((file) => {
    const least = loads.indexOf(Math.min(...loads));
    loads[least] = (loads[least] ?? 0) + (seconds[file] ?? 1);
    return least === index - 1;
  });
};
