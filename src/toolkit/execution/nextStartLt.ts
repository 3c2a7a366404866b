/** The logical times of a block begin at a multiple of this. */
const ltStep = 1_000_000n;

/** The logical time at which a block begins whose predecessor ended at `endLt`. */
export function nextStartLt(endLt: bigint): bigint {
  return (endLt / ltStep + 1n) * ltStep;
}
