import type { LocalChain } from '../chain/localChain';
import type { TokenIndex } from '../tokens/tokenIndex';

/** What the indexed API answers from. */
export interface V3Context {
  chain: LocalChain;
  tokens: TokenIndex;
  /** Traces with more transactions are answered without them. */
  maximumTraceTransactions: number;
}
