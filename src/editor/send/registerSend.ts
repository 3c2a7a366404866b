import * as vscode from 'vscode';
import type { AccountRow } from '../../commandTargets';
import type { RegisteredTraces } from '../traces/registerTraces';
import type { TraceServices } from '../traces/liveTraces';
import type { Redactor } from '../../toolkit/base/log';
import { itemAddress } from '../project/itemAddress';
import { registerCommands } from '../ui/registerCommands';
import type { EmulatorThread } from '../project/emulatorThread';
import type { OwnWallet } from '../networks/switchNetwork';
import type { SendServices } from './showRehearsal';
import type { WalletConnections } from './walletConnections';

/** Sending, and its services for features that stand on it. */
export interface RegisteredSend extends vscode.Disposable {
  use: () => Promise<SendServices>;
  ownWallet: OwnWallet;
}

/** Registers sending messages. The code is loaded on first use. */
export function registerSend(
  services: TraceServices,
  following: RegisteredTraces['following'],
  redactor: Redactor,
): RegisteredSend {
  let emulators: EmulatorThread | undefined;
  let wallets: WalletConnections | undefined;
  const use = async (): Promise<SendServices> => {
    const [{ EmulatorThread: Thread }, { WalletConnections: Connections }] = await Promise.all([
      import('../project/emulatorThread'),
      import('./walletConnections'),
    ]);
    emulators ??= new Thread();
    wallets ??= new Connections(services.context, services.log, redactor);
    return { ...services, following, emulators, wallets };
  };
  const sendAs = async (item: AccountRow | undefined): Promise<void> => {
    const [{ composeCommand }, { askAccount }] = await Promise.all([
      import('./composeCommand'),
      import('../project/askAccount'),
    ]);
    const placeholder = 'Choose the contract to send from; no signature is needed';
    const as =
      itemAddress(item) ??
      (await askAccount(services, { title: 'TON: Send Without a Signature', placeholder, local: true }));
    if (as !== undefined) {
      await composeCommand(await use(), undefined, { as });
    }
  };
  const parts = vscode.Disposable.from(
    { dispose: () => [emulators, wallets].forEach((one) => one?.dispose()) },
    registerCommands(services.log, {
      'tonWorkbench.sendBoc': async (boc) =>
        (await import('./sendMessageCommand')).sendBocCommand(await use(), boc),
      'tonWorkbench.composeMessage': async (given) =>
        (await import('./composeCommand')).composeCommand(await use(), given),
      'tonWorkbench.sendMessage': async (target) =>
        (await import('./sendMessageCommand')).sendMessageCommand(await use(), target),
      'tonWorkbench.localDeploy': async (file) =>
        (await import('./deployCommand')).deployContract(await use(), file),
      'tonWorkbench.changeAccount': async (item, what) => {
        const { askAccountChange, setBalance, setCell } = await import('../localnet/accountEdits');
        const change = what ?? (await askAccountChange());
        if (change === 'balance') {
          await setBalance(services, item);
        } else if (change === 'code' || change === 'data') {
          await setCell(services, item, change);
        } else if (change === 'send') {
          await sendAs(item);
        }
      },
    }),
  );
  const ownWallet: OwnWallet = {
    known: async (network) => (await import('./walletConnections')).knownWallet(services.context, network),
    disconnect: async (network) => (await use()).wallets.disconnect(network),
  };
  return { use, ownWallet, dispose: () => void parts.dispose() };
}
