import type { Ledger } from '../chain/ledger';

/** What traces, transactions and messages are encoded with. */
export interface EncodeContext {
  readonly ledger: Ledger;
  /** Traces with more transactions are answered without them. */
  readonly maximumTraceTransactions: number;
}
