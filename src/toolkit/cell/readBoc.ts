import type { Cell } from '@ton/core';
import type { BocNote, BocTables } from './boc';
import { Boc, cellKinds, significantLevels } from './boc';
import type { BocHeader, BocLimits } from './bocMagics';
import { bocError, bocLimits, readBocHeader } from './bocMagics';
import { crc32c } from '../base/crc32c';

/**
 * Reads and completely validates a bag of cells of any format. The result keeps `bytes`; do not change them
 * afterward.
 *
 * @throws WorkbenchError with a {@link BocErrorCode} and `details.offset` in bytes.
 */
export function readBoc(bytes: Uint8Array, limits: BocLimits = bocLimits): Boc {
  if (bytes.length > limits.bytes) {
    throw bocError('boc-too-large', 0, `it has ${bytes.length} bytes`);
  }
  const header = readBocHeader(bytes, limits);
  checkCrc(bytes, header);
  const notes: BocNote[] = [];
  const scan = scanCells(bytes, header);
  if (scan.unreferenced > 0) {
    notes.push({
      code: 'boc-unreferenced-cells',
      text: `${scan.unreferenced} cells do not belong to any root.`,
      offset: header.cellsStart,
    });
  }
  const tables: BocTables = {
    starts: scan.starts,
    kinds: new Uint8Array(header.cellCount),
    masks: new Uint8Array(header.cellCount),
    slots: new Uint32Array(header.cellCount),
    depths: new Uint16Array(0),
  };
  const boc = new Boc(bytes, header, tables, notes);
  fillLevels(boc, tables);
  fillDepths(boc, tables, limits);
  addIndexNote(bytes, header, scan.starts, notes);
  if (header.totalLength < bytes.length) {
    const text = `${bytes.length - header.totalLength} bytes follow the BoC.`;
    notes.push({ code: 'boc-trailing-bytes', text, offset: header.totalLength });
  }
  verifyHashes(boc, scan.storesHashes);
  return boc;
}

function checkCrc(bytes: Uint8Array, header: BocHeader): void {
  if (!header.hasCrc) {
    return;
  }
  const at = header.totalLength - 4;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(at, true) !== crc32c(bytes.subarray(0, at))) {
    throw bocError('boc-bad-crc', at, 'the checksum does not match the content');
  }
}

interface Scan {
  starts: Uint32Array;
  /** Whether any cell stores its own hashes. */
  storesHashes: boolean;
  unreferenced: number;
}

/** Walks the cells once: descriptors, padding, and that references only point forward. */
function scanCells(bytes: Uint8Array, header: BocHeader): Scan {
  const { cellCount, referenceBytes, cellsStart, cellsLength } = header;
  const end = cellsStart + cellsLength;
  const starts = new Uint32Array(cellCount);
  const referenced = new Uint8Array(cellCount);
  header.roots.forEach((root) => (referenced[root] = 1));
  let storesHashes = false;
  let at = cellsStart;
  for (let cell = 0; cell < cellCount; cell++) {
    starts[cell] = at;
    if (at + 2 > end) {
      throw bocError('boc-bad-size', at, 'the cell data ends before this cell', cell);
    }
    const d1 = bytes[at]!;
    const d2 = bytes[at + 1]!;
    const count = d1 & 7;
    checkDescriptor(count, d1, at, cell);
    storesHashes ||= (d1 & 16) !== 0;
    const dataEnd = at + 2 + (d1 & 16 ? significantLevels(d1 >> 5) * 34 : 0) + ((d2 + 1) >> 1);
    const next = dataEnd + count * referenceBytes;
    if (next > end) {
      throw bocError('boc-bad-size', at, 'the cell data ends inside this cell', cell);
    }
    if ((d2 & 1) === 1 && (bytes[dataEnd - 1]! & 0x7f) === 0) {
      throw bocError('boc-bad-padding', dataEnd - 1, 'the last byte has no data bits', cell);
    }
    for (let i = dataEnd; i < next; i += referenceBytes) {
      let target = 0;
      for (let k = 0; k < referenceBytes; k++) {
        target = target * 256 + bytes[i + k]!;
      }
      if (target <= cell || target >= cellCount) {
        const reason = `a reference points to cell ${target} of ${cellCount}; it must point to a later cell`;
        throw bocError('boc-bad-reference', i, reason, cell);
      }
      referenced[target] = 1;
    }
    at = next;
  }
  if (at !== end) {
    throw bocError('boc-bad-size', at, `${end - at} bytes of the cell data do not belong to any cell`);
  }
  const unreferenced = referenced.reduce((sum, one) => sum - one, cellCount);
  return { starts, storesHashes, unreferenced };
}

function checkDescriptor(references: number, d1: number, at: number, cell: number): void {
  if (references <= 4) {
    return;
  }
  const absent = references === 7 && (d1 & 16) !== 0;
  const reason = absent ? 'the cell is absent from this BoC' : `a cell with ${references} references`;
  throw bocError('boc-bad-descriptor', at, reason, cell);
}

/** Types and level masks, from the last cell to the first, so that children come before their parents. */
function fillLevels(boc: Boc, tables: BocTables): void {
  const { kinds, masks, slots, starts } = tables;
  for (let cell = boc.cellCount - 1; cell >= 0; cell--) {
    const start = starts[cell]!;
    const d1 = boc.bytes[start]!;
    let mask = 0;
    if ((d1 & 8) === 0) {
      for (let i = d1 & 7; i-- > 0;) {
        mask |= masks[boc.reference(cell, i)]!;
      }
    } else {
      const exotic = readExotic(boc, cell);
      kinds[cell] = exotic.kind;
      mask = exotic.mask;
    }
    if (d1 >> 5 !== mask) {
      const reason = `it claims level mask ${d1 >> 5}, but its content has ${mask}`;
      throw bocError('boc-bad-level', start, reason, cell);
    }
    masks[cell] = mask;
  }
  let slot = 0;
  for (let cell = 0; cell < boc.cellCount; cell++) {
    slots[cell] = slot;
    slot += significantLevels(masks[cell]!);
  }
  tables.depths = new Uint16Array(slot);
}

function fillDepths(boc: Boc, tables: BocTables, limits: BocLimits): void {
  const { masks, slots, depths, kinds } = tables;
  for (let cell = boc.cellCount - 1; cell >= 0; cell--) {
    let slot = slots[cell]!;
    const mask = masks[cell]!;
    if (boc.kind(cell) === 'pruned') {
      const data = boc.data(cell);
      const stored = significantLevels(mask) - 1;
      for (let at = data.length - stored * 2; at < data.length; at += 2) {
        depths[slot++] = (data[at]! << 8) | data[at + 1]!;
      }
      checkDepths(boc, cell, tables, limits);
      continue;
    }
    const shift = kinds[cell]! >= 3 ? 1 : 0;
    for (let level = 0; level <= 3; level++) {
      if (level > 0 && (mask & (1 << (level - 1))) === 0) {
        continue;
      }
      let depth = 0;
      for (let i = boc.referenceCount(cell); i-- > 0;) {
        depth = Math.max(depth, boc.depth(boc.reference(cell, i), level + shift) + 1);
      }
      depths[slot++] = depth;
    }
    checkDepths(boc, cell, tables, limits);
  }
}

function checkDepths(boc: Boc, cell: number, tables: BocTables, limits: BocLimits): void {
  const first = tables.slots[cell]!;
  for (let i = significantLevels(tables.masks[cell]!); i-- > 0;) {
    if (tables.depths[first + i]! > limits.depth) {
      const reason = `a depth of ${tables.depths[first + i]!}, the limit is ${limits.depth}`;
      throw bocError('boc-too-deep', boc.offset(cell), reason, cell);
    }
  }
}

/** The index only helps random access and is never trusted here: the cells are read sequentially. */
function addIndexNote(bytes: Uint8Array, header: BocHeader, starts: Uint32Array, notes: BocNote[]): void {
  if (!header.hasIndex) {
    return;
  }
  const { cellCount, offsetBytes, cellsStart, cellsLength } = header;
  for (let cell = 0, at = header.indexStart; cell < cellCount; cell++) {
    const entryAt = at;
    let entry = 0;
    for (const next = at + offsetBytes; at < next; at++) {
      entry = entry * 256 + bytes[at]!;
    }
    const said = header.hasCacheBits ? Math.floor(entry / 2) : entry;
    const end = cell + 1 < cellCount ? starts[cell + 1]! - cellsStart : cellsLength;
    if (said !== end) {
      const text = `The index says that cell ${cell} ends at ${said}, but it ends at ${end}; a node would refuse this BoC.`;
      notes.push({ code: 'boc-index-differs', text, offset: entryAt });
      return;
    }
  }
}

/**
 * Verifies claimed hashes and depths: those of Merkle cells about their children, and those stored in cells about
 * themselves. Costs nothing if the BoC has neither.
 */
function verifyHashes(boc: Boc, storesHashes: boolean): void {
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

/**
 * Kind and level mask of an exotic cell whose children are already known; rejects what the protocol forbids
 * (crypto/vm/cells/DataCell.cpp). Hashes inside Merkle cells are checked later, by `verifyHashes`.
 */
function readExotic(boc: Boc, cell: number): { kind: number; mask: number } {
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

/** A @ton/core cell as a `Boc` with that single root. */
export function fromCoreCell(cell: Cell): Boc {
  return readBoc(cell.toBoc({ crc32: false }));
}
