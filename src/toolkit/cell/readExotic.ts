import { cellKinds, significantLevels } from './boc';
import type { Boc } from './boc';
import { bocError } from './bocError';

/**
 * Kind and level mask of an exotic cell whose children are already known; rejects what the protocol forbids
 * (crypto/vm/cells/DataCell.cpp). Hashes inside Merkle cells are checked later, by `verifyHashes`.
 */
export function readExotic(boc: Boc, cell: number): { kind: number; mask: number } {
  const offset = boc.offset(cell);
  const bits = boc.bitLength(cell);
  const references = boc.referenceCount(cell);
  if (bits < 8) {
    throw bocError('boc-bad-exotic', offset, 'an exotic cell without a type byte', cell);
  }
  const type = boc.data(cell)[0]!;
  const expect = (wantedBits: number, wantedReferences: number): void => {
    if (bits !== wantedBits || references !== wantedReferences) {
      const reason =
        `a ${cellKinds[type]} cell with ${bits} bits and ${references} references` +
        `; it has ${wantedBits} and ${wantedReferences}`;
      throw bocError('boc-bad-exotic', offset, reason, cell);
    }
  };
  switch (type) {
    case 1:
      return { kind: 1, mask: readPruned(boc, cell, expect) };
    case 2:
      expect(8 + 256, 0);
      return { kind: 2, mask: 0 };
    case 3:
      expect(8 + 256 + 16, 1);
      return { kind: 3, mask: boc.levelMask(boc.reference(cell, 0)) >> 1 };
    case 4:
      expect(8 + 2 * (256 + 16), 2);
      return {
        kind: 4,
        mask: (boc.levelMask(boc.reference(cell, 0)) | boc.levelMask(boc.reference(cell, 1))) >> 1,
      };
    default:
      throw bocError('boc-bad-exotic', offset, `an exotic cell of unknown type ${type}`, cell);
  }
}

function readPruned(boc: Boc, cell: number, expect: (bits: number, references: number) => void): number {
  // Config proofs of slashing votes exist without the mask byte; like @ton/core, we read them as level 1.
  if (boc.bitLength(cell) === 280) {
    expect(280, 0);
    return 1;
  }
  const mask = boc.bitLength(cell) < 16 ? 0 : boc.data(cell)[1]!;
  if (mask < 1 || mask > 7) {
    throw bocError('boc-bad-exotic', boc.offset(cell), `a pruned cell with level mask ${mask}`, cell);
  }
  expect(16 + (significantLevels(mask) - 1) * (256 + 16), 0);
  return mask;
}
