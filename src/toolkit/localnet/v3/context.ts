import type { Ledger } from '../chain/ledger';
import type { LocalChain } from '../chain/localChain';
import type { Tokens } from '../tokens/tokenIndex';
import type { ActionIndex } from './actionIndex';
import type { EventIndex } from './eventIndex';

/** What traces, transactions and messages are encoded with. */
export interface EncodeContext {
  readonly ledger: Ledger;
  /** Traces with more transactions are answered without them. */
  readonly maximumTraceTransactions: number;
}

/** What the indexed API answers from. */
export interface V3Context extends EncodeContext {
  readonly chain: LocalChain;
  readonly tokens: Tokens;
  readonly actions: ActionIndex;
  readonly events: EventIndex;
}
