import type { Boc } from '../boc';
import { readBoc as readCheckedBoc } from '../readBoc';
import { LightCell } from './lightCell';

/**
 * The first root of a BoC as light cells, which keep views of `boc`. Throws a WorkbenchError (`boc-…`) if it is
 * malformed.
 */
export function readLightCell(boc: Buffer): LightCell {
  const checked = readCheckedBoc(boc);
  const cells = new Array<LightCell>(checked.cellCount);
  // Children come after their parents, so going backwards finds them ready.
  for (let number = checked.cellCount - 1; number >= 0; number -= 1) {
    cells[number] = lightCell(checked, number, cells);
  }
  return cells[checked.roots[0] as number] as LightCell;
}

function lightCell(boc: Boc, number: number, cells: readonly LightCell[]): LightCell {
  const count = boc.referenceCount(number);
  const refs = new Array<LightCell>(count);
  for (let place = 0; place < count; place += 1) {
    refs[place] = cells[boc.reference(number, place)] as LightCell;
  }
  const kind = boc.kind(number);
  const data = asBuffer(boc.data(number));
  const bits = boc.bitLength(number);
  const level = boc.levelMask(number);
  if (level === 0 && (kind === 'ordinary' || kind === 'library')) {
    return new LightCell(count + (kind === 'library' ? 8 : 0), data, bits, refs);
  }
  const d1 = count + (kind === 'ordinary' ? 0 : 8) + level * 32;
  const known = { hash: Buffer.from(boc.hash(number)), depth: boc.depth(number) };
  return new LightCell(d1, data, bits, refs, known);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
