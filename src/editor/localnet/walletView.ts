import type * as vscode from 'vscode';

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

/** The test wallet as the Local Network view shows it. */
export interface WalletViewState {
  account: string;
  port: number;
  /** What happens to requests of dApps that connect next: `asks you`, `approves all`, `rejects all`. */
  mode: string;
  dApps: readonly ConnectedDApp[];
  requests: readonly PendingRequest[];
}

/** The test wallet for the view, which does not know how it works. */
export interface WalletView {
  readonly onDidChange: vscode.Event<void>;
  /** Undefined while it does not run. */
  state(): WalletViewState | undefined;
}
