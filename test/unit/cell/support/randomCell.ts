import { beginCell, convertToMerkleProof } from '@ton/core';
import type { Cell } from '@ton/core';

/** Cells of every kind that @ton/core can make, with shared children, built from the leaves up. */
export function randomCell(random: (limit: number) => number, size = 24): Cell {
  const pool: Cell[] = [leaf(random)];
  for (let i = 0; i < size; i++) {
    const pick = (): Cell => pool[Math.max(0, pool.length - 1 - random(Math.min(pool.length, 6)))]!;
    const roll = random(20);
    if (roll === 0) {
      pool.push(pruned(random));
    } else if (roll === 1) {
      pool.push(library(random));
    } else if (roll === 2) {
      pool.push(convertToMerkleProof(pick()));
    } else if (roll === 3) {
      pool.push(merkleUpdate(pick(), pick()));
    } else if (roll < 7) {
      pool.push(leaf(random));
    } else {
      const builder = beginCell().storeBits(bits(random, random(1024)));
      for (let count = 1 + random(4); count > 0; count--) {
        builder.storeRef(pick());
      }
      pool.push(builder.endCell());
    }
  }
  return pool.at(-1)!;
}

/** A pruned cell of level 1, 2 or 3 with every level below it significant: the masks that @ton/core can read. */
export function pruned(random: (limit: number) => number, mask = [1, 3, 7][random(3)]!): Cell {
  const builder = beginCell().storeUint(1, 8).storeUint(mask, 8);
  const count = [0, 1, 1, 2, 1, 2, 2, 3][mask]!;
  for (let i = 0; i < count; i++) {
    builder.storeBuffer(Buffer.from(Array.from({ length: 32 }, () => random(256))));
  }
  for (let i = 0; i < count; i++) {
    builder.storeUint(random(100), 16);
  }
  return builder.endCell({ exotic: true });
}

export function library(random: (limit: number) => number): Cell {
  const hash = Buffer.from(Array.from({ length: 32 }, () => random(256)));
  return beginCell().storeUint(2, 8).storeBuffer(hash).endCell({ exotic: true });
}

function merkleUpdate(before: Cell, after: Cell): Cell {
  return beginCell()
    .storeUint(4, 8)
    .storeBuffer(before.hash(0))
    .storeBuffer(after.hash(0))
    .storeUint(before.depth(0), 16)
    .storeUint(after.depth(0), 16)
    .storeRef(before)
    .storeRef(after)
    .endCell({ exotic: true });
}

function leaf(random: (limit: number) => number): Cell {
  return beginCell()
    .storeBits(bits(random, random(1024)))
    .endCell();
}

function bits(random: (limit: number) => number, length: number): Cell['bits'] {
  const builder = beginCell();
  for (let i = 0; i < length; i++) {
    builder.storeBit(random(2));
  }
  return builder.endCell().bits;
}
