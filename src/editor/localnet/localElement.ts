import type { Faults } from '../../toolkit/localnet/faults/faults';
import type { FailedMessageStatus } from '../../toolkit/localnet/control/localnetStatus';
import type { PaymentStanding } from '../../toolkit/payments/paymentWords';
import type { KnownAccount } from '../accounts/knownAccounts';
import type { LocalServerView } from './registerLocalServer';

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

/** A dApp that is connected to the test wallet. */
export interface ConnectedDApp {
  /** The wallet's client id in the session. */
  session: string;
  label: string;
  description: string;
  tooltip: string;
}

/** A request that waits for a decision. */
export interface PendingRequest {
  number: number;
  /** What it asks for, in a few words. */
  label: string;
  description: string;
}

/** The test wallet as the view shows it. */
export interface WalletViewState {
  account: string;
  port: number;
  /** What happens to requests of dApps that connect next: `asks you`, `approves all`, `rejects all`. */
  mode: string;
  dApps: readonly ConnectedDApp[];
  requests: readonly PendingRequest[];
}

/** A payment of the payment API as the view shows it. */
export interface ListedPayment {
  reference: string;
  /** Amount and recipient. */
  label: string;
  /** Where it stands, with the time. */
  description: string;
  standing: PaymentStanding['standing'];
  /** There is nothing left to pay. */
  isPaid: boolean;
  /** A transaction is known. */
  hasTrace: boolean;
  /** Its webhook has been sent. */
  hasDelivery: boolean;
}

/** The payment API as the view shows it. */
export interface PaymentsViewState {
  url: string;
  /** Number of payments that wait. */
  waiting: number;
  /** Newest first. */
  payments: readonly ListedPayment[];
  /** Older ones, which are not listed. */
  older: number;
}

/** The servers beside the local network, which the view does not know more of. */
export interface LocalServers {
  wallet: LocalServerView<WalletViewState>;
  payments: LocalServerView<PaymentsViewState>;
}

/** The row of the test wallet, of a dApp connected to it, or of a request that waits for a decision. */
export type LocalWalletItem = { wallet: true } | { dApp: ConnectedDApp } | { request: PendingRequest };

/** The row of the payment API, of a payment, or below it: what to do without payments, how many are not listed. */
export type LocalPaymentItem =
  { payments: true } | { payment: ListedPayment } | { paymentNote: 'none' | 'older' };

/** A row of a server beside the local network. */
export type LocalServerItem = LocalWalletItem | LocalPaymentItem;

/** A row of the view "Local Network". */
export type LocalItem =
  LocalFaultsItem | LocalAccountItem | LocalFactItem | LocalFailureItem | LocalProblemItem | LocalServerItem;
