import type * as vscode from 'vscode';

/** Context keys with their types. */
export interface ContextKeys {
  /** Determines the content of the Local Network view. */
  'tonWorkbench.localNetworkState': 'stopped' | 'starting' | 'running' | 'failed';
  /** Whether the local network is a fork of another one. */
  'tonWorkbench.localNetworkForked': boolean;
  /** Determines the content of the Webhooks view. */
  'tonWorkbench.webhooksState': 'stopped' | 'starting' | 'running' | 'failed';
  'tonWorkbench.webhooksHaveSecret': boolean;
  /** Whether the Webhooks view has deliveries to search, of the current listener or the last one. */
  'tonWorkbench.webhooksShown': boolean;
  'tonWorkbench.webhooksFiltered': boolean;
  /** Whether the Traces view has any. */
  'tonWorkbench.tracesShown': boolean;
  'tonWorkbench.tracesFiltered': boolean;
  /** Whether a message was sent again with changes, which can be undone. */
  'tonWorkbench.sentAgain': boolean;
  /** Whether a line that threw is marked. */
  'tonWorkbench.throwShown': boolean;
  'tonWorkbench.walletRunning': boolean;
  'tonWorkbench.paymentsRunning': boolean;
  /** Set once it has happened in this window; completes a step of the walkthrough. */
  'tonWorkbench.contractDeployed': boolean;
  'tonWorkbench.getMethodAnswered': boolean;
  'tonWorkbench.messageSent': boolean;
  'tonWorkbench.executionDebugged': boolean;
  /** Whether calls are being watched. */
  'tonWorkbench.watching': boolean;
  /** Whether gas figures are shown in sources. */
  'tonWorkbench.gasShown': boolean;
  /** Whether the workspace has tests of contracts. */
  'tonWorkbench.testsFound': boolean;
  /** Whether mutants that no test notices are marked. */
  'tonWorkbench.survivorsShown': boolean;
  /** Whether something is being followed. */
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
