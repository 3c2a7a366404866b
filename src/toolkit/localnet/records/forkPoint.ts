/** The block of another network that a chain continues from. Part of the state; never changes. */
export interface ForkPoint {
  /** The network's name, for people. */
  network: string;
  /** Base URL of the API that states are read from. Identifies the network. */
  url: string;
  /** Masterchain seqno. The fork's own blocks start with the next one. */
  seqno: number;
  /** Time of that block, Unix seconds. */
  genUtime: number;
  /** Logical time at which it ended, decimal. */
  endLt: string;
  /** Its root hash, lowercase hex: the network may have another block of this number later. Forks of earlier versions have none. */
  rootHash?: string | undefined;
  /**
   * The forked network is local and has the named wallets itself: they are read from it like any other account.
   * Otherwise the fork's first block creates them.
   */
  hasNamedAccounts: boolean;
}

/** A fork's public status. */
export interface ForkStatus {
  network: string;
  url: string;
  seqno: number;
  genUtime: number;
  /** Accounts read so far as the service's exact cells. */
  exact: number;
  /** Accounts read so far that were rebuilt from code, data, and balance: their storage fees may differ. */
  partial: number;
  /** Addresses read so far without an account. */
  absent: number;
  libraries: number;
  /** Why the last read failed; null if it did not. */
  failure: string | null;
}
