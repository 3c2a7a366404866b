import type * as vscode from 'vscode';
import type { EmulatorHolder } from '../../toolkit/workflows/rehearseInTime';
import type { TraceServices } from '../traces/traceServices';
import { EditorWallet } from './editorWallet';
import { registerWalletStatus } from './registerWalletStatus';
import { tellRequest, tellStopped, walletCommands } from './walletCommands';
import type { WalletCommands } from './walletCommands';
import { keepAnswer } from './walletRequestDocument';

/** What the test wallet needs of other features, and tells them. */
export interface WalletSurroundings {
  emulators: () => Promise<EmulatorHolder>;
  /** What the view shows has changed. */
  onChange: () => void;
  /** A message was sent, with this hash. */
  onSent: (hash: string) => void;
}

/** Everything about the test wallet, loaded on first use: the wallet, its status bar item, and its commands. */
export class WalletFeature {
  readonly wallet: EditorWallet;
  readonly commands: WalletCommands;
  readonly #parts: vscode.Disposable[];

  constructor(services: TraceServices, { emulators, onChange, onSent }: WalletSurroundings) {
    const wallet = new EditorWallet(services, emulators);
    this.wallet = wallet;
    this.commands = walletCommands(services, wallet);
    this.#parts = [
      registerWalletStatus(wallet),
      wallet.onDidChange(onChange),
      wallet.onRequest((asked) => void tellRequest(services, asked)),
      wallet.onAnswer((answer) => {
        const shown = wallet.shown(answer.number);
        if (shown !== undefined) {
          keepAnswer(services, shown, answer);
        }
        if (answer.hash !== undefined) {
          onSent(answer.hash);
        }
      }),
      wallet.onStopped((error) => void tellStopped(services, error)),
    ];
  }

  /** Stops until the next window. */
  async close(): Promise<void> {
    this.#parts.forEach((part) => void part.dispose());
    await this.wallet.dispose();
  }
}
