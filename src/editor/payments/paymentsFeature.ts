import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import type { WebhookServices } from '../webhooks/webhookServices';
import { EditorPayments } from './editorPayments';
import {
  paymentCommands,
  tellKeyForgotten,
  tellPaymentsStopped,
  tellSecretChanged,
  tellUnfitListener,
} from './paymentCommands';
import type { PaymentCommands } from './paymentCommands';
import { keepPayment } from './paymentDocument';

/** Everything about the payment API, loaded on first use: the API and its commands. */
export class PaymentsFeature {
  readonly server: EditorPayments;
  readonly commands: PaymentCommands;
  readonly #parts: vscode.Disposable[];

  /** @param onChange told when what the view shows has changed */
  constructor(services: WebhookServices, onChange: () => void) {
    const payments = new EditorPayments(services);
    this.server = payments;
    this.commands = paymentCommands(services, payments);
    this.#parts = [
      payments.onDidChange(onChange),
      payments.onDidChange(() =>
        setContextKey(vscode.commands, 'tonWorkbench.paymentsRunning', payments.state() !== undefined),
      ),
      payments.onPayment(({ payment }) => keepPayment(services, payment)),
      payments.onSecretChanged(() => void tellSecretChanged()),
      payments.onKeyForgotten(() => void tellKeyForgotten()),
      payments.onUnfitListener((title) => void tellUnfitListener(title)),
      payments.onStopped((error) => void tellPaymentsStopped(services, error)),
    ];
  }

  /** Stops until the next window. */
  async close(): Promise<void> {
    this.#parts.forEach((part) => void part.dispose());
    await this.server.dispose();
  }
}
