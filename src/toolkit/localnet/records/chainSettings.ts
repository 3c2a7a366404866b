import type { LocalAccount } from '../accounts/localAccount';

/** A user's changes to a chain; small, stored with its history. */
export interface ChainSettings {
  /** Seconds that the network's clock is ahead of the machine's. */
  timeOffset: number;
  /** Imported configuration: BoC in base64, its origin for people, and the ids of parameters set since. */
  config?: { boc: string; origin: string; set?: readonly number[] | undefined } | undefined;
  /** Libraries added from outside: BoCs, base64. */
  libraries: string[];
  /** Named snapshots: the seqno of each. */
  snapshots: Record<string, number>;
  /** Names of contracts: by raw address, lowercase. */
  names?: Readonly<Record<string, string>> | undefined;
  /** The initial wallets, if not the default; the balance in nanocoins. */
  genesis?: { accounts: readonly LocalAccount[]; balance: string } | undefined;
}

export const initialSettings: ChainSettings = { timeOffset: 0, libraries: [], snapshots: {} };

/** The settings of a network that starts over: it keeps only its wallets. */
export function freshSettings({ genesis }: ChainSettings): ChainSettings {
  return { ...initialSettings, ...(genesis === undefined ? {} : { genesis }) };
}
