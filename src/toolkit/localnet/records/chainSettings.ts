import type { LocalAccount } from '../accounts/localAccount';

/** What a user has changed about a chain; small, kept with its history. */
export interface ChainSettings {
  /** Seconds that the network's clock is ahead of the machine's. */
  timeOffset: number;
  /** Imported configuration (BoC, base64) and where it comes from. */
  config?: { boc: string; origin: string } | undefined;
  /** Libraries added from outside: BoCs, base64. */
  libraries: string[];
  /** Named snapshots: the seqno each goes back to. */
  snapshots: Record<string, number>;
  /** Names that contracts were given: by raw address, in lower case. */
  names?: Readonly<Record<string, string>> | undefined;
  /** What the chain starts with, if not the default; the balance in nanocoins. */
  genesis?: { accounts: readonly LocalAccount[]; balance: string } | undefined;
}

export const initialSettings: ChainSettings = { timeOffset: 0, libraries: [], snapshots: {} };
