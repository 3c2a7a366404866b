import type { Faults } from '../../toolkit/localnet/faults/faults';
import type { FailedMessageStatus } from '../../toolkit/localnet/control/localnetStatus';
import type { KnownAccount } from '../accounts/knownAccounts';
import type { ConnectedDApp, PendingRequest } from './walletView';

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

/** The row of the test wallet, of a dApp connected to it, or of a request that waits for a decision. */
export type LocalWalletItem = { wallet: true } | { dApp: ConnectedDApp } | { request: PendingRequest };

/** A row of the view "Local Network". */
export type LocalItem =
  LocalFaultsItem | LocalAccountItem | LocalFactItem | LocalFailureItem | LocalProblemItem | LocalWalletItem;
