import * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import type { FailedMessageStatus } from '../../toolkit/localnet/control/localnetStatus';
import type { Faults } from '../../toolkit/localnet/faults/faults';
import type { PaymentStanding } from '../../toolkit/payments/paymentWords';
import type { KnownAccount } from '../project/accountName';
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

const looks: Readonly<Record<ListedPayment['standing'], [icon: string, color: string | undefined]>> = {
  waiting: ['circle-large-outline', undefined],
  paid: ['pass', 'testing.iconPassed'],
  failed: ['error', 'testing.iconFailed'],
  warning: ['warning', 'list.warningForeground'],
};

/** The rows below the payment API's row: payments, newest first. */
export function paymentChildren(state: PaymentsViewState | undefined): LocalItem[] {
  const { payments = [], older = 0 } = state ?? {};
  return payments.length === 0
    ? [{ paymentNote: 'none' }]
    : [
        ...payments.map((payment) => ({ payment })),
        ...(older > 0 ? [{ paymentNote: 'older' as const }] : []),
      ];
}

/** A row of the payment API. */
export function paymentItem(
  element: LocalPaymentItem,
  state: PaymentsViewState | undefined,
): vscode.TreeItem {
  if ('payment' in element) {
    return paymentRow(element.payment);
  }
  return 'paymentNote' in element ? noteItem(element.paymentNote, state) : rootItem(state);
}

function paymentRow(payment: ListedPayment): vscode.TreeItem {
  const { reference, label, description, standing, isPaid, hasTrace, hasDelivery } = payment;
  const item = new vscode.TreeItem(label);
  const [icon, color] = looks[standing];
  item.id = `payment ${reference}`;
  item.description = description;
  item.tooltip = `${label}\n${description}\nreference ${reference}`;
  item.iconPath = new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
  item.accessibilityInformation = { label: `payment of ${label}, ${description}` };
  item.contextValue = [
    'payment',
    isPaid ? 'paid' : 'open',
    ...(hasTrace ? ['traced'] : []),
    ...(hasDelivery ? ['delivered'] : []),
  ].join(' ');
  item.command = asCommand('tonWorkbench.openPayment', 'Open Payment', { payment: { reference } });
  return item;
}

function noteItem(note: 'none' | 'older', state: PaymentsViewState | undefined): vscode.TreeItem {
  if (note === 'none') {
    const item = new vscode.TreeItem('No payments yet');
    item.id = 'payments none';
    item.description = 'click for a new one';
    item.tooltip = 'Create a payment here, or let your shop create one: TONPAY_BASE_URL is the URL above.';
    item.iconPath = new vscode.ThemeIcon('add');
    item.command = asCommand('tonWorkbench.newPayment', 'New Payment…');
    return item;
  }
  const item = new vscode.TreeItem(`${state?.older ?? 0} older`);
  item.id = 'payments older';
  item.description = 'kept, but not listed';
  return item;
}

function rootItem(state: PaymentsViewState | undefined): vscode.TreeItem {
  const item = new vscode.TreeItem('Payment API');
  // Another row while it runs: rows keep whether they are expanded, and the stopped one cannot be.
  item.id = state === undefined ? 'payments stopped' : 'payments';
  item.iconPath = new vscode.ThemeIcon('tag');
  if (state === undefined) {
    item.contextValue = 'paymentsStopped';
    item.description = 'mock, for shops; not running';
    item.tooltip =
      'Start a mock of the payment API, so that a shop on this machine runs without the service.';
    item.command = asCommand('tonWorkbench.startPayments', 'Start Payment API');
    return item;
  }
  const { url, waiting } = state;
  item.contextValue = 'paymentsRunning';
  item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
  item.description = [new URL(url).host, ...(waiting > 0 ? [`${waiting} waiting`] : [])].join(', ');
  item.tooltip = `Mock of the payment API: TONPAY_BASE_URL=${url}`;
  item.command = asCommand('tonWorkbench.copyPaymentSettings', 'Copy Payment Settings…');
  return item;
}
