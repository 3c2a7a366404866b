import type * as vscode from 'vscode';

/** Context keys with their types. */
export interface ContextKeys {
  /** Decides what the Local Network view offers. */
  'tonWorkbench.localNetworkState': 'stopped' | 'starting' | 'running' | 'failed';
  /** The local network is a fork of another one. */
  'tonWorkbench.localNetworkForked': boolean;
  /** Decides what the Webhooks view offers. */
  'tonWorkbench.webhooksState': 'stopped' | 'starting' | 'running' | 'failed';
  'tonWorkbench.webhooksHaveSecret': boolean;
  /** The Webhooks view has deliveries to search: those of the running listener, or of the last one. */
  'tonWorkbench.webhooksShown': boolean;
  'tonWorkbench.webhooksFiltered': boolean;
  'tonWorkbench.tracesFiltered': boolean;
  /** These have happened since the window was opened, and complete the steps of the walkthrough. */
  'tonWorkbench.contractDeployed': boolean;
  'tonWorkbench.getMethodAnswered': boolean;
  'tonWorkbench.messageSent': boolean;
  /** Calls are being watched and can be stopped. */
  'tonWorkbench.watching': boolean;
  /** Something is being followed and can be stopped. */
  'tonWorkbench.following': boolean;
}

/** Sets a context key that menus and views test. */
export function setContextKey<K extends keyof ContextKeys>(
  namespace: typeof vscode.commands,
  key: K,
  value: ContextKeys[K],
): void {
  void namespace.executeCommand('setContext', key, value);
}
