/** `exact`: the very cell of the chain. `partial`: made of code, data and balance, so that storage fees may differ. */
export type StateFidelity = 'exact' | 'partial';

/** An account's state. */
export interface SourcedAccount {
  /** ShardAccount as BoC, base64. */
  shardAccount: string;
  fidelity: StateFidelity;
}

/** Accounts, libraries and configuration at one masterchain block. */
export interface AccountSource {
  /** The network's name, for people. */
  readonly origin: string;
  /** The masterchain block everything is read at. */
  readonly seqno: number;
  /** Time of that block, Unix seconds. */
  readonly genUtime: number;
  /** Logical time at which that block ended. */
  readonly endLt: bigint;
  /**
   * @param address `workchain:hex`
   * @throws WorkbenchError `archive-unavailable` when the service no longer has the block's states
   */
  account(address: string, signal?: AbortSignal): Promise<SourcedAccount>;
  /** The library cell as BoC, base64; undefined when the network has none of this hash (lower-case hex). */
  library(hash: string, signal?: AbortSignal): Promise<string | undefined>;
  /** The configuration dictionary as BoC, base64; undefined when the service does not tell it. */
  config(signal?: AbortSignal): Promise<string | undefined>;
}
