import type { LightCell } from './lightCell';
import { bocMagics } from '../bocMagics';

/** `root` as a BoC: one root, no index, no checksum; equal cells are written once. */
export function writeLightCell(root: LightCell): Buffer {
  const order = topologicalOrder(root);
  const index = new Map(order.map((cell, place) => [cell, place]));
  const refSize = bytesFor(order.length);
  const size = order.reduce((sum, cell) => sum + 2 + cell.data.length + cell.refs.length * refSize, 0);
  const offsetSize = bytesFor(size);
  const boc = Buffer.allocUnsafe(6 + 4 * refSize + offsetSize + size);
  boc.writeUInt32BE(bocMagics.generic, 0);
  boc[4] = refSize;
  boc[5] = offsetSize;
  let offset = boc.writeUIntBE(order.length, 6, refSize);
  offset = boc.writeUIntBE(1, offset, refSize);
  offset = boc.writeUIntBE(0, offset, refSize);
  offset = boc.writeUIntBE(size, offset, offsetSize);
  offset = boc.writeUIntBE(0, offset, refSize);
  for (const cell of order) {
    boc[offset] = cell.d1;
    boc[offset + 1] = cell.d2;
    offset += 2 + cell.data.copy(boc, offset + 2);
    for (const ref of cell.refs) {
      offset = boc.writeUIntBE(index.get(ref) as number, offset, refSize);
    }
  }
  return boc;
}

function bytesFor(value: number): number {
  return value < 0x100 ? 1 : value < 0x10000 ? 2 : value < 0x1000000 ? 3 : 4;
}

/** Parents before children; every cell object once. */
function topologicalOrder(root: LightCell): LightCell[] {
  const seen = new Set<LightCell>();
  const reversed: LightCell[] = [];
  const visit = (cell: LightCell): void => {
    seen.add(cell);
    for (let place = cell.refs.length - 1; place >= 0; place -= 1) {
      const ref = cell.refs[place] as LightCell;
      if (!seen.has(ref)) {
        visit(ref);
      }
    }
    reversed.push(cell);
  };
  visit(root);
  return reversed.reverse();
}
