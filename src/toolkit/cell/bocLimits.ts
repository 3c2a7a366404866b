import { limits } from '../limits';

/** What a BoC may hold before it is refused, so that hostile input costs bounded time and memory. */
export interface BocLimits {
  /** Bytes of the whole BoC. */
  bytes: number;
  /** Cells, counted once each. */
  cells: number;
  /** References from a root to its deepest leaf; 1,024 is the protocol's own limit. */
  depth: number;
  /** Roots; 16,384 is what a node accepts. */
  roots: number;
}

/** The product's limits. */
export const bocLimits: BocLimits = {
  bytes: limits.boc.most,
  cells: limits.bocCells.most,
  depth: limits.bocDepth.most,
  roots: limits.bocRoots.most,
};
