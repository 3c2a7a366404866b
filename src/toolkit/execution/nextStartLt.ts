/** The logical times of a block begin at a multiple of this. */
const ltStep = 1_000_000n;

/** The start of a block's logical time after a block that ended at `endLt`. */
export function nextStartLt(endLt: bigint): bigint {
  return (endLt / ltStep + 1n) * ltStep;
}
