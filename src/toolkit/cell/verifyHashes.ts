import { significantLevels } from './boc';
import type { Boc } from './boc';
import { bocError } from './bocError';

/**
 * Verifies claimed hashes and depths: those of Merkle cells about their children, and those stored in cells about
 * themselves. Costs nothing if the BoC has neither.
 */
export function verifyHashes(boc: Boc, storesHashes: boolean): void {
  for (let cell = boc.cellCount - 1; cell >= 0; cell--) {
    const kind = boc.kind(cell);
    if (kind === 'merkle-proof') {
      verifyChild(boc, cell, 0, 1);
    } else if (kind === 'merkle-update') {
      verifyChild(boc, cell, 0, 2);
      verifyChild(boc, cell, 1, 2);
    }
    if (storesHashes && (boc.bytes[boc.offset(cell)]! & 16) !== 0) {
      verifyStored(boc, cell);
    }
  }
}

function verifyChild(boc: Boc, cell: number, index: number, count: number): void {
  const data = boc.data(cell);
  const child = boc.reference(cell, index);
  const hashAt = 1 + index * 32;
  const depthAt = 1 + count * 32 + index * 2;
  const depth = (data[depthAt]! << 8) | data[depthAt + 1]!;
  if (!equal(data.subarray(hashAt, hashAt + 32), boc.hash(child, 0)) || depth !== boc.depth(child, 0)) {
    const reason = `a ${boc.kind(cell)} cell does not match its reference ${index}`;
    throw bocError('boc-bad-merkle-hash', boc.offset(cell), reason, cell);
  }
}

function verifyStored(boc: Boc, cell: number): void {
  const mask = boc.levelMask(cell);
  const count = significantLevels(mask);
  const start = boc.offset(cell) + 2;
  for (let level = 0, i = 0; level <= 3; level++) {
    if (level > 0 && (mask & (1 << (level - 1))) === 0) {
      continue;
    }
    const depthAt = start + count * 32 + i * 2;
    const depth = (boc.bytes[depthAt]! << 8) | boc.bytes[depthAt + 1]!;
    const hash = boc.bytes.subarray(start + i * 32, start + i * 32 + 32);
    if (!equal(hash, boc.hash(cell, level)) || depth !== boc.depth(cell, level)) {
      throw bocError('boc-bad-stored-hash', start + i * 32, 'a stored hash does not match its cell', cell);
    }
    i++;
  }
}

function equal(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
