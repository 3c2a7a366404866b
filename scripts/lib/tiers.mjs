import path from 'node:path';
import { root } from './root.mjs';

/**
 * @typedef {object} Tier
 * @property {string} name also the folder below test/
 * @property {string} [script] runs the whole tier in a process of its own; without one, lanes run its files
 * @property {number} limitS time limit in seconds, of the script or of one file
 * @property {number} testMs time limit of a test, in milliseconds. Both are for what hangs, and grow with the machine's pace
 * @property {number} [cores] of how many cores a file keeps busy; by default one. A window waits most of its time
 */

/** In the order in which npm test starts them: what takes long and cannot be divided first, what is short last. */
export const tiers = /** @type {const} @satisfies {readonly Tier[]} */ ([
  { name: 'check', script: path.join(root, 'scripts/check.mjs'), limitS: 900, testMs: 120_000 },
  { name: 'host', script: path.join(root, 'scripts/lib/runHostSuite.mjs'), limitS: 900, testMs: 120_000 },
  { name: 'conformance', limitS: 600, testMs: 180_000, cores: 2 / 3 },
  { name: 'ui', limitS: 600, testMs: 240_000, cores: 2 / 3 },
  { name: 'unit', limitS: 300, testMs: 60_000 },
]);

/**
 * @param {string | undefined} name
 * @returns {Tier}
 * @throws where there is none
 */
export const tierNamed = (name) => {
  const tier = tiers.find((one) => one.name === name);
  if (tier === undefined) {
    throw new Error(`There is no tier ${name}; the tiers are ${tiers.map((one) => one.name).join(', ')}.`);
  }
  return tier;
};
