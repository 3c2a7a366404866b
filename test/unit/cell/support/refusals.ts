import { beginCell, crc32c } from '@ton/core';
import type { BocErrorCode, BocLimits } from '../../../../src/toolkit/cell/bocMagics';
import { encodeBoc } from './encodeBoc';
import { pruned } from './randomCell';

/** The written list of where our reader and @ton/core 0.63 disagree about whether a BoC can be read. */
export interface Refusal {
  code: BocErrorCode;
  reason: string;
  /** Smaller than the product's, so that the sample is small. */
  limits?: Partial<BocLimits>;
  sample: () => Buffer;
}

const two = beginCell().storeUint(0xab, 12).storeRef(beginCell().storeUint(7, 8).endCell()).endCell();

/** The generic form with one root, one-byte numbers and no checksum. */
function boc(cells: number, body: string, flags = 0x01, root = 0): Buffer {
  const header = [flags, 1, cells, 1, 0, body.length / 2, root];
  return Buffer.concat([Buffer.from('b5ee9c72', 'hex'), Buffer.from(header), Buffer.from(body, 'hex')]);
}

/** @ton/core reads it, we refuse it. A node refuses all of these. */
export const stricter: readonly Refusal[] = [
  {
    code: 'boc-bad-header',
    reason:
      'Reserved flags, cache bits without an index, no cells or roots, absent cells, more roots than cells: @ton/core ignores them.',
    sample: () => boc(1, '0000', 0x21),
  },
  {
    code: 'boc-bad-size',
    reason: 'The header gives the cells more bytes than they use; @ton/core ignores the rest.',
    sample: () => boc(1, '0000' + 'ff'),
  },
  {
    code: 'boc-bad-padding',
    reason: 'A last byte without data (0x80 or 0x00); @ton/core takes the bits from the byte before.',
    sample: () => boc(1, '0003' + 'ab80'),
  },
  {
    code: 'boc-bad-level',
    reason: 'The level mask in the descriptor differs from the content; @ton/core does not look at it.',
    sample: () => boc(1, '2000'),
  },
  {
    code: 'boc-bad-descriptor',
    reason: 'More than four references in an exotic cell; @ton/core counts them for ordinary cells only.',
    sample: () => boc(6, '0d42' + '02' + '00'.repeat(32) + '0102030405' + '0000'.repeat(5)),
  },
  {
    code: 'boc-bad-exotic',
    reason: 'A library cell with references; @ton/core does not count them.',
    sample: () => boc(2, '09' + '42' + '02' + '00'.repeat(32) + '01' + '0000'),
  },
  {
    code: 'boc-bad-stored-hash',
    reason: 'A stored hash or depth that is not that of its cell; @ton/core skips them.',
    sample: (): Buffer => {
      const bytes = encodeBoc([two], { storeHashes: true });
      bytes[20]! ^= 1;
      return bytes;
    },
  },
  {
    code: 'boc-too-deep',
    reason: 'A depth above 1,024, the limit of the protocol; @ton/core has none.',
    sample: (): Buffer => {
      let cell = beginCell().endCell();
      for (let i = 0; i < 1025; i++) {
        cell = beginCell().storeRef(cell).endCell();
      }
      return cell.toBoc();
    },
  },
  {
    code: 'boc-too-large',
    reason: 'More than 16 MiB; @ton/core has no limit.',
    limits: { bytes: 20 },
    sample: () => two.toBoc(),
  },
  {
    code: 'boc-too-many-cells',
    reason: 'More than 2^20 cells; @ton/core has no limit.',
    limits: { cells: 1 },
    sample: () => two.toBoc(),
  },
  {
    code: 'boc-too-many-roots',
    reason: 'More than 16,384 roots, the limit of a node; @ton/core has none.',
    limits: { roots: 1 },
    sample: () => encodeBoc([two, two.refs[0]!]),
  },
];

/** We read it, @ton/core refuses it. */
export const looser: readonly { name: string; reason: string; sample: () => Buffer }[] = [
  {
    name: 'pruned-mask',
    reason:
      'Pruned cells with a gap in their levels (masks 2, 4, 5, 6) are allowed; @ton/core reads past their end.',
    sample: (): Buffer => {
      // The mask byte of a level 1 cell changed to level 2: as many hashes, another mask.
      const bytes = encodeBoc([pruned(() => 1, 1)], { referenceBytes: 1, offsetBytes: 1 });
      bytes[11] = 0x48;
      bytes[14] = 2;
      return bytes;
    },
  },
  {
    name: 'trailing-bytes',
    reason: 'Bytes after the end are noted, not refused; @ton/core takes the checksum over them.',
    sample: () => Buffer.concat([two.toBoc({ crc32: true }), Buffer.from([0])]),
  },
];

/** A BoC whose checksum is right again after its content was changed. */
export function withCrc(bytes: Buffer): Buffer {
  const body = bytes.subarray(0, -4);
  return Buffer.concat([body, crc32c(body)]);
}
