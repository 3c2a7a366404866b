import type { FailedMessageStatus } from '../../toolkit/localnet/control/localnetStatus';
import type { KnownAccount } from '../accounts/knownAccounts';

/** An account that has a name, as a row. */
export interface LocalAccountItem {
  account: KnownAccount;
}

/** Something else to know of the network, as a row. */
export interface LocalFactItem {
  fact: 'configuration' | 'requests';
}

/** A message that the emulator could not execute, as a row. */
export interface LocalFailureItem {
  failed: FailedMessageStatus;
}

/** What is wrong with the kept state, as a row. */
export interface LocalProblemItem {
  problem: string;
}

/** A row of the view "Local Network". */
export type LocalItem = LocalAccountItem | LocalFactItem | LocalFailureItem | LocalProblemItem;
