import { Cell } from '@ton/core';
import assert from 'node:assert/strict';
import type { Boc } from '../../../src/toolkit/cell/boc';
import { readBoc } from '../../../src/toolkit/cell/readBoc';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import type { EncodeOptions } from './support/encodeBoc';
import { encodeBoc } from './support/encodeBoc';
import { randomCell } from './support/randomCell';
import { randomNumbers } from './support/randomNumbers';
import { stricter, withCrc } from './support/refusals';
import { assertSameCells } from './support/sameCells';

const count = process.env['TONWB_LONG'] === '1' ? 100_000 : 6_000;
const forms: EncodeOptions[] = [
  {},
  { crc: true },
  { index: true, cacheBits: true },
  { storeHashes: true },
  { magic: 0x68ff65f3 },
  { magic: 0xacc3a728 },
  { referenceBytes: 4, offsetBytes: 8 },
];

describe('mutated BoCs', () => {
  it(`${count}: a cell or a typed error, the same as in @ton/core except for the listed differences`, () => {
    const random = randomNumbers(2026);
    const strictCodes = new Set<string>(stricter.map((entry) => entry.code));
    const outcomes = new Map<string, number>();
    let slowest = 0;
    let mostMemory = 0;
    for (let i = 0; i < count; i++) {
      const form = forms[random(forms.length)]!;
      const bytes = mutate(encodeBoc([randomCell(random, 6)], form), random);
      const began = performance.now();
      const ours = attempt(() => readBoc(bytes));
      slowest = Math.max(slowest, performance.now() - began);
      if (i % 100 === 0) {
        mostMemory = Math.max(mostMemory, process.memoryUsage().arrayBuffers);
      }
      const theirs = attempt(() => Cell.fromBoc(bytes));
      const outcome = compare(ours, theirs, bytes, strictCodes);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    assert.ok((outcomes.get('both read it') ?? 0) > count / 50, JSON.stringify([...outcomes]));
    assert.ok((outcomes.get('both refuse it') ?? 0) > count / 50, JSON.stringify([...outcomes]));
    assert.ok(slowest < 500, `the slowest took ${slowest} ms`);
    // A header of a few bytes can claim a million cells; they must not be allocated for it.
    assert.ok(mostMemory < 256 * 1024 * 1024, `${mostMemory} bytes were held`);
  });
});

function compare(ours: Boc | Error, theirs: Cell[] | Error, bytes: Buffer, strictCodes: Set<string>): string {
  const context = bytes.toString('hex');
  if (ours instanceof Error) {
    assert.ok(WorkbenchError.is(ours), `not a typed error: ${ours.stack} for ${context}`);
    assert.ok(ours.code.startsWith('boc-') && typeof ours.details['offset'] === 'number', ours.code);
    if (theirs instanceof Error || theirs.includes(undefined as unknown as Cell)) {
      return 'both refuse it';
    }
    assert.ok(strictCodes.has(ours.code), `${ours.code} is not on the list: ${context}`);
    return `only we refuse it: ${ours.code}`;
  }
  if (theirs instanceof Error) {
    const masks = Array.from({ length: ours.cellCount }, (_, cell) =>
      ours.kind(cell) === 'pruned' ? ours.levelMask(cell) : 1,
    );
    const known =
      masks.some((mask) => [2, 4, 5, 6].includes(mask)) ||
      ours.notes.some((note) => note.code === 'boc-trailing-bytes');
    assert.ok(known, `${theirs.message}: only @ton/core refuses ${context}`);
    return 'only @ton/core refuses it';
  }
  assertSameCells(ours, theirs);
  return 'both read it';
}

function mutate(source: Buffer, random: (limit: number) => number): Buffer {
  let bytes = Buffer.from(source);
  for (let changes = 1 + random(3); changes > 0; changes--) {
    const at = random(bytes.length);
    const roll = random(6);
    if (roll === 0) {
      bytes[at] = random(256);
    } else if (roll === 1) {
      bytes[at]! ^= 1 << random(8);
    } else if (roll === 2) {
      bytes[Math.min(at, 14)] = random(8);
    } else if (roll === 3) {
      bytes = bytes.subarray(0, at + 1);
    } else if (roll === 4) {
      bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([random(256)]), bytes.subarray(at)]);
    } else {
      bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
    }
  }
  // A wrong checksum would hide every other fault.
  return bytes.length > 8 && random(3) > 0 ? withCrc(bytes) : bytes;
}

function attempt<T>(run: () => T): T | Error {
  try {
    return run();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
