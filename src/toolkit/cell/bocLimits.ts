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

/** The product's limits: 16 MiB, 2^20 cells, depth 1,024, 16,384 roots. */
export const bocLimits: BocLimits = { bytes: 16 * 1024 * 1024, cells: 2 ** 20, depth: 1024, roots: 16_384 };
