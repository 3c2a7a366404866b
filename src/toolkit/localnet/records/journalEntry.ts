import type { KeptBlock, LedgerBase } from './blockInput';
import type { ChainSettings } from './chainSettings';
import type { ForkPoint } from './forkPoint';
import type { StateFidelity } from '../../accounts/accountSource';

/** What happened to a chain, in order. Applied one after the other, entries give the chain again. */
export type JournalEntry =
  /** An external message (with its hash) was accepted; it is answered only after this is written. */
  | { type: 'accepted'; hash: string; boc: Buffer }
  /** An internal message from outside the protocol waits for its block. */
  | { type: 'injected'; hash: string; destination: string; boc: Buffer }
  /** A block was made; `settled` are the messages above (by their hashes) that it executed or dropped. */
  | { type: 'block'; block: KeptBlock; settled: string[] }
  | { type: 'settings'; settings: ChainSettings }
  /** The chain was taken back to the end of that block. */
  | { type: 'restored'; seqno: number }
  /** The chain continues from a loaded state, which the next block brings; the first entry of such a chain. */
  | { type: 'loaded'; base: LedgerBase }
  /** The chain continues from a block of another network; the first entry of a fork. */
  | { type: 'fork'; point: ForkPoint; settings: ChainSettings }
  /** An account was read from that network; the ShardAccount is empty if it does not exist. */
  | { type: 'fetched'; address: string; fidelity: StateFidelity; shardAccount: Buffer }
  | { type: 'library'; boc: Buffer };
