/** Whether a workchain exists: the masterchain or the basechain. A cell that claims another is something else. */
export function isNetworkWorkchain(workchain: number): boolean {
  return workchain === 0 || workchain === -1;
}

/** Whether Unix seconds are within the network's lifetime (its first block is of November 2019), or not set. */
export function isNetworkTime(seconds: number): boolean {
  return seconds === 0 || (seconds >= 1_573_000_000 && seconds < 4_102_444_800);
}

/** Whether a logical time is plausible: mainnet needed six years for 2^46. */
export function isNetworkLt(lt: bigint): boolean {
  return lt < 1n << 56n;
}
