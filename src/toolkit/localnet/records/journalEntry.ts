import type { KeptBlock, LedgerBase } from './blockInput';
import type { ChainSettings } from './chainSettings';
import type { ForkPoint } from './forkPoint';
import type { StateFidelity } from '../../accounts/accountSource';

/** A chain's history in order. Replaying the entries restores the chain. */
export type JournalEntry =
  /** An external message (with its hash) was accepted; the client is answered only after this is written. */
  | { type: 'accepted'; hash: string; boc: Buffer }
  /** A forged internal message waits for its block. */
  | { type: 'injected'; hash: string; destination: string; boc: Buffer }
  /** A block was made; `settled` are the above messages (by hash) that it executed or dropped. */
  | { type: 'block'; block: KeptBlock; settled: string[] }
  | { type: 'settings'; settings: ChainSettings }
  /** The chain was taken back to the end of that block. */
  | { type: 'restored'; seqno: number }
  /** The chain continues from a loaded state, contained in the next block; the first entry of such a chain. */
  | { type: 'loaded'; base: LedgerBase }
  /** The chain continues from a block of another network; the first entry of a fork. */
  | { type: 'fork'; point: ForkPoint; settings: ChainSettings }
  /** An account was read from that network; the ShardAccount is empty if it does not exist. */
  | { type: 'fetched'; address: string; fidelity: StateFidelity; shardAccount: Buffer }
  | { type: 'library'; boc: Buffer };
