/**
 * `exact`: the very cell from the chain. `partial`: rebuilt from code, data, and balance, so that storage fees may
 * differ.
 */
export type StateFidelity = 'exact' | 'partial';

/** An account's state. */
export interface SourcedAccount {
  /** ShardAccount as BoC, base64. */
  shardAccount: string;
  fidelity: StateFidelity;
}

/** Accounts, libraries, and configuration at one masterchain block. */
export interface AccountSource {
  /** The network's name, for people. */
  readonly origin: string;
  /** The masterchain block at which everything is read. */
  readonly seqno: number;
  /** Time of that block, Unix seconds. */
  readonly genUtime: number;
  /** Logical time at which that block ended. */
  readonly endLt: bigint;
  /** Root hash of that block, lowercase hex; undefined if it is not known. */
  readonly rootHash?: string | undefined;
  /**
   * @param address `workchain:hex`
   * @throws WorkbenchError `archive-unavailable` if the service no longer has the block's states
   */
  account(address: string, signal?: AbortSignal): Promise<SourcedAccount>;
  /** The library cell as BoC, base64; undefined if the network has none with this hash (lowercase hex). */
  library(hash: string, signal?: AbortSignal): Promise<string | undefined>;
  /** The configuration dictionary as BoC, base64; undefined if the service does not provide it. */
  config(signal?: AbortSignal): Promise<string | undefined>;
}
