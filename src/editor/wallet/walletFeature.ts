import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import type { EmulatorHolder } from '../../toolkit/workflows/rehearseInTime';
import type { TraceServices } from '../traces/traceServices';
import { EditorWallet } from './editorWallet';
import { registerWalletStatus } from './registerWalletStatus';
import { tellRequest, tellStopped, tellUnheard, walletCommands } from './walletCommands';
import type { WalletCommands } from './walletCommands';
import { WalletRequestDocuments } from './walletRequestDocuments';

/** Everything about the test wallet, loaded on first use: the wallet, its status bar item, and its commands. */
export class WalletFeature {
  readonly server: EditorWallet;
  readonly commands: WalletCommands;
  readonly #parts: vscode.Disposable[];

  /**
   * @param use what sends and rehearses
   * @param onChange told when what the view shows has changed
   */
  constructor(
    services: TraceServices,
    use: () => Promise<{ emulators: EmulatorHolder }>,
    onChange: () => void,
  ) {
    const wallet = new EditorWallet(services, async () => (await use()).emulators);
    this.server = wallet;
    const documents = new WalletRequestDocuments(services, wallet);
    this.commands = walletCommands(services, wallet, documents);
    this.#parts = [
      registerWalletStatus(wallet),
      wallet.onDidChange(onChange),
      wallet.onDidChange(() =>
        setContextKey(vscode.commands, 'tonWorkbench.walletRunning', wallet.state() !== undefined),
      ),
      wallet.onDidChange(() => documents.refresh()),
      wallet.onRequest((asked) => void tellRequest(services, asked)),
      wallet.onAnswer(({ hash, isUnheard }) => {
        if (isUnheard === true) {
          void tellUnheard();
        }
        if (hash !== undefined) {
          services.traces.sent(hash);
        }
      }),
      wallet.onStopped((error) => void tellStopped(services, error)),
    ];
  }

  /** Stops until the next window. */
  async close(): Promise<void> {
    this.#parts.forEach((part) => void part.dispose());
    await this.server.dispose();
  }
}
