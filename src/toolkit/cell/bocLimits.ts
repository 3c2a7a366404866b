import { limits } from '../limits';

/** Limits of a BoC, so that hostile input costs bounded time and memory. */
export interface BocLimits {
  /** Bytes of the whole BoC. */
  bytes: number;
  /** Cells, each counted once. */
  cells: number;
  /** References from a root to its deepest leaf; 1,024 is the protocol's own limit. */
  depth: number;
  /** Roots; a node accepts 16,384. */
  roots: number;
}

/** The product's limits. */
export const bocLimits: BocLimits = {
  bytes: limits.boc.most,
  cells: limits.bocCells.most,
  depth: limits.bocDepth.most,
  roots: limits.bocRoots.most,
};
