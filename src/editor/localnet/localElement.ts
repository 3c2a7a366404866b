import type { Faults } from '../../toolkit/localnet/faults/faults';
import type { FailedMessageStatus } from '../../toolkit/localnet/control/localnetStatus';
import type { KnownAccount } from '../accounts/knownAccounts';

/** The row of a named account. */
export interface LocalAccountItem {
  account: KnownAccount;
}

/** The row of another fact about the network. */
export interface LocalFactItem {
  fact: 'configuration' | 'requests';
}

/** The row of a message that the emulator could not execute. */
export interface LocalFailureItem {
  failed: FailedMessageStatus;
}

/** The row of a problem with the saved state. */
export interface LocalProblemItem {
  problem: string;
}

/** The row while the network misbehaves on purpose. */
export interface LocalFaultsItem {
  faults: Faults;
}

/** A row of the view "Local Network". */
export type LocalItem =
  LocalFaultsItem | LocalAccountItem | LocalFactItem | LocalFailureItem | LocalProblemItem;
