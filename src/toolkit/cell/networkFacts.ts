/** Whether a workchain exists: the masterchain and the basechain. A cell that names another is something else. */
export function isNetworkWorkchain(workchain: number): boolean {
  return workchain === 0 || workchain === -1;
}

/** Whether Unix seconds lie in the life of the network (its first block is of November 2019), or are not set. */
export function isNetworkTime(seconds: number): boolean {
  return seconds === 0 || (seconds >= 1_573_000_000 && seconds < 4_102_444_800);
}

/** Whether a logical time is one that a network can reach: mainnet needed six years for 2^46. */
export function isNetworkLt(lt: bigint): boolean {
  return lt < 1n << 56n;
}
