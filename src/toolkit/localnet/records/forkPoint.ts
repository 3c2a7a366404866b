/** The block of another network that a chain continues from. Part of the state; it never changes. */
export interface ForkPoint {
  /** The network's name, for people. */
  network: string;
  /** Base URL of the API that states are read from. It identifies the network. */
  url: string;
  /** Masterchain seqno. The fork's own blocks start with the next one. */
  seqno: number;
  /** Time of that block, Unix seconds. */
  genUtime: number;
  /** Logical time at which it ended, decimal. */
  endLt: string;
  /**
   * The network has the named wallets itself, being a local one: they are read from it like any other account. Elsewhere
   * the fork begins by putting them in.
   */
  hasNamedAccounts: boolean;
}

/** What a fork shows of itself. */
export interface ForkStatus {
  network: string;
  url: string;
  seqno: number;
  genUtime: number;
  /** Accounts read so far whose very cell the service gave. */
  exact: number;
  /** Accounts read so far that were put together from code, data and balance: their storage fees may differ. */
  partial: number;
  /** Addresses read so far that had no account. */
  absent: number;
  libraries: number;
  /** Why the last reading failed; null when it did not. */
  failure: string | null;
}
