import type { SourcedAccount } from '../../accounts/accountSource';
import type { ForkPoint } from '../records/forkPoint';

/** Where a fork reads what it does not have yet. Everything is as of the point; nothing is requested twice. */
export interface ForkSource {
  /** Chooses the block; called once in a fork's life. */
  pin(): Promise<ForkPoint>;
  /** @param address raw, lowercase */
  account(point: ForkPoint, address: string): Promise<SourcedAccount>;
  /** BoC, base64; undefined if the network has none with this hash (lowercase hex). */
  library(point: ForkPoint, hash: string): Promise<string | undefined>;
  /** BoC, base64; undefined if the service does not provide it. */
  config(point: ForkPoint): Promise<string | undefined>;
}

/** The requested fork: enough to tell whether a saved state is that fork. */
export interface ForkWish {
  network: string;
  url: string;
  /** Undefined means the newest block, or that of the saved state. */
  seqno?: number | undefined;
}
