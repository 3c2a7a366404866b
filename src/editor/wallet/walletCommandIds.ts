import type { CommandId } from '../../commandArguments';

/** The commands of this feature: registered with the window, loaded on first use. */
export const walletCommandIds = [
  'tonWorkbench.startWallet',
  'tonWorkbench.stopWallet',
  'tonWorkbench.walletSettings',
  'tonWorkbench.copyWalletEntry',
  'tonWorkbench.connectDApp',
  'tonWorkbench.disconnectDApp',
  'tonWorkbench.setDAppApproval',
  'tonWorkbench.openWalletRequest',
  'tonWorkbench.decideWalletRequest',
] as const satisfies readonly CommandId[];

export type WalletCommandId = (typeof walletCommandIds)[number];
