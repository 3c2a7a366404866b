import { createHash } from 'node:crypto';

/** What one round of the work takes on the machine for which the tests' time limits were written, in ms of its CPU. */
const referenceMs = 8;

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

/**
 * Measures for about 100 ms.
 * @returns {number} how many times as long as the reference this machine computes: 1 or more, one decimal place
 */
export const measurePace = () => {
  const rounds = Array.from({ length: 10 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.max(1, Math.round((Math.min(...rounds) / referenceMs) * 10) / 10);
};

/** By what each time limit of a test is multiplied: as `npm test` has measured it, ten times as much with `--long`. */
export const pace = Number(process.env['TONWB_PACE'] ?? 1);
