import path from 'node:path';
import { root } from './root.mjs';

/**
 * @typedef {object} Tier
 * @property {string} name also the folder below test/
 * @property {string} script runs it
 * @property {number} limitS time limit in seconds
 * @property {number} testMs default time limit per test, in milliseconds
 */

/** @param {string} name */
const script = (name) => path.join(root, 'scripts', name);

/** @type {readonly Tier[]} */
export const tiers = [
  { name: 'check', script: script('check.mjs'), limitS: 1800, testMs: 30_000 },
  { name: 'unit', script: script('lib/runSuites.mjs'), limitS: 1800, testMs: 10_000 },
  { name: 'conformance', script: script('lib/runSuites.mjs'), limitS: 1800, testMs: 30_000 },
  { name: 'host', script: script('lib/runHostSuite.mjs'), limitS: 1800, testMs: 20_000 },
  { name: 'ui', script: script('lib/runSuites.mjs'), limitS: 1800, testMs: 60_000 },
];
