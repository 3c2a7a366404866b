import type { Ledger } from '../chain/ledger';

/** What traces, transactions, and messages are encoded with. */
export interface EncodeContext {
  readonly ledger: Ledger;
  /** Larger traces are returned without their transactions. */
  readonly maximumTraceTransactions: number;
}
