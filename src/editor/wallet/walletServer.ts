import type { CommandName } from '../ui/registerCommands';

/** What the window knows of the test wallet before it is loaded. */
export const walletServer = {
  /** In the state of a workspace: whether it was running; it starts again with its network. */
  isOnKey: 'wallet.isOn',
  /** Registered with the window, loaded on first use. */
  commands: [
    'startWallet',
    'stopWallet',
    'walletSettings',
    'copyWalletEntry',
    'connectDApp',
    'disconnectDApp',
    'setDAppApproval',
    'openWalletRequest',
    'decideWalletRequest',
  ] as const satisfies readonly CommandName[],
};

export type WalletCommandId = `tonWorkbench.${(typeof walletServer.commands)[number]}`;
