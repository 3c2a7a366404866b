import { createHash } from 'node:crypto';

/** What one round of the work takes on the machine for which the tests' time limits were written, in ms of its CPU. */
const workMs = 8;

/** Bytes that no process has used before, and what it takes there to touch them. */
const fresh = { bytes: 64 << 20, ms: 16 };

/** How much of a test's time goes into fresh memory there: a virtual machine whose host lends it late can take 15 times as long. */
const memoryShare = 1 / 9;

/** A little of what tests do most: maps, texts, JSON, hashes. */
const work = () => {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (let index = 0; index < 60_000; index += 1) {
    const key = `key ${(index * 7919) % 5003}`;
    counts.set(key, (counts.get(key) ?? 0) + index);
  }
  const text = JSON.stringify([...counts]);
  JSON.parse(text);
  for (let index = 0; index < 20; index += 1) {
    createHash('sha256').update(text).digest();
  }
};

/** Touches every page once. */
const touch = () => {
  const memory = Buffer.allocUnsafeSlow(fresh.bytes);
  for (let at = 0; at < memory.length; at += 4096) {
    memory[at] = 1;
  }
};

/** @param {() => void} run @returns {number} ms of CPU */
const cpuOf = (run) => {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

/**
 * Measures for about 100 ms.
 * @returns {number} how many times as long as the reference this machine computes: 1 or more, in halves, so that limits
 *   in whole milliseconds stay whole
 */
export const measurePace = () => {
  const computing = Math.min(...Array.from({ length: 10 }, () => cpuOf(work))) / workMs;
  const pace = computing * (1 - memoryShare) + (cpuOf(touch) / fresh.ms) * memoryShare;
  return Math.max(1, Math.ceil(pace * 2) / 2);
};

/** By what each time limit of a test is multiplied: as `npm test` has measured it, ten times as much with `--long`. */
export const pace = Number(process.env['TONWB_PACE'] ?? 1);
