import type { SourcedAccount } from '../../accounts/accountSource';
import type { ForkPoint } from '../records/forkPoint';

/** Where a fork reads what it does not have yet. All of it is as of the point; nothing is asked twice. */
export interface ForkSource {
  /** Chooses the block; asked once in the life of a fork. */
  pin(): Promise<ForkPoint>;
  /** @param address raw, in lower case */
  account(point: ForkPoint, address: string): Promise<SourcedAccount>;
  /** BoC, base64; undefined when the network has none of this hash (lower-case hex). */
  library(point: ForkPoint, hash: string): Promise<string | undefined>;
  /** BoC, base64; undefined when the service does not provide it. */
  config(point: ForkPoint): Promise<string | undefined>;
}

/** What a fork was asked for: enough to see whether a kept state is that fork. */
export interface ForkWish {
  network: string;
  url: string;
  /** Undefined is the newest block, or the one that the state has. */
  seqno?: number | undefined;
}
