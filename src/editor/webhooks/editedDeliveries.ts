import { isUtf8 } from 'node:buffer';
import * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import { WorkbenchError } from '../../toolkit/errors';
import type { FullDelivery } from '../../toolkit/webhook/delivery/delivery';
import type { WebhookServices } from './webhookServices';
import { deliveryTitle, requireDelivery } from './deliveryCommands';
import type { GivenDelivery } from './deliveryCommands';
import { describeAttempt } from '../../toolkit/webhook/views/describeSend';
import { askEndpoint, listenerEndpoint } from './endpoints';
import { resendOnce, tellAttempt } from './resendCommands';
import { askSigningSecret } from './secretCommands';
import { serviceOfDelivery } from './webhookService';
import { LensChanges } from '../ui/lensChanges';

/** A delivery being edited. */
interface Edited {
  delivery: FullDelivery;
  /** The last answer, as text. */
  answer?: string;
}

/** Deliveries as untitled JSON documents: edit, then send with the lenses above the first line. */
export class EditedDeliveries implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #services: WebhookServices;
  readonly #edited = new Map<string, Edited>();
  readonly #changed = new LensChanges();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #registered: vscode.Disposable;
  #opened = 0;

  constructor(services: WebhookServices) {
    this.#services = services;
    this.#registered = vscode.Disposable.from(
      this.#changed,
      vscode.languages.registerCodeLensProvider({ scheme: 'untitled', language: 'json' }, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#edited.delete(uri.toString())),
    );
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const document = uri.toString();
    const edited = this.#edited.get(document);
    if (edited === undefined) {
      return [];
    }
    const commands = [
      asCommand('tonWorkbench.sendEditedDelivery', '$(send) Send', document),
      asCommand('tonWorkbench.sendEditedDelivery', 'Send to…', document, true),
      asCommand('tonWorkbench.cancelEditedDelivery', 'Cancel', document),
      ...(edited.answer === undefined ? [] : [{ command: '', title: `answered ${edited.answer}` }]),
    ];
    return commands.map((command) => new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command));
  }

  /** Opens the body of a delivery for editing. */
  async open(item: GivenDelivery): Promise<void> {
    const delivery = await requireDelivery(this.#services, item);
    const text = editableText(delivery);
    this.#opened += 1;
    const uri = vscode.Uri.from({
      scheme: 'untitled',
      path: `Edit ${deliveryTitle(delivery)} (${this.#opened}).json`,
    });
    this.#edited.set(uri.toString(), { delivery });
    // Filled before it is shown: typing must not hit an empty document.
    const document = await vscode.workspace.openTextDocument(uri);
    const fill = new vscode.WorkspaceEdit();
    fill.insert(uri, new vscode.Position(0, 0), text);
    await vscode.workspace.applyEdit(fill);
    await vscode.languages.setTextDocumentLanguage(document, 'json');
    await vscode.window.showTextDocument(document, { preview: false });
    this.#changed.fire();
  }

  /** Signs the current text and sends it; the document stays open for the next try. */
  async send(name: string | undefined, ask: boolean): Promise<void> {
    const { document, edited } = this.#find(name);
    const provider = await serviceOfDelivery(edited.delivery);
    const secret = await askSigningSecret(this.#services, 'TON: Send Edited Delivery', provider);
    const endpoint =
      secret &&
      (ask
        ? await askEndpoint(this.#services, 'TON: Send Edited Delivery to', { listener: true })
        : await listenerEndpoint(this.#services));
    if (secret === undefined || endpoint === undefined) {
      return;
    }
    const body = Buffer.from(document.getText(), 'utf8');
    const attempt = await resendOnce(this.#services, edited.delivery, endpoint, {
      body,
      secret: secret.value,
    });
    edited.answer = describeAttempt(attempt);
    this.#changed.fire();
    tellAttempt(this.#services, edited.delivery, attempt, endpoint);
  }

  /** Closes the document without asking to save it. */
  async cancel(name: string | undefined): Promise<void> {
    const { document } = this.#find(name);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }

  dispose(): void {
    this.#registered.dispose();
  }

  #find(name = vscode.window.activeTextEditor?.document.uri.toString()): {
    document: vscode.TextDocument;
    edited: Edited;
  } {
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === name);
    const edited = name === undefined ? undefined : this.#edited.get(name);
    if (document === undefined || edited === undefined) {
      throw new WorkbenchError({
        code: 'no-edited-delivery',
        kind: 'input',
        message: 'No edited delivery is open.',
        hint: 'Choose Edit and Resend on a delivery first.',
      });
    }
    return { document, edited };
  }
}

/** The body for editing: JSON with line breaks, other text as received. */
function editableText({ body }: FullDelivery): string {
  if (!isUtf8(body)) {
    throw new WorkbenchError({
      code: 'body-not-text',
      kind: 'input',
      message: 'The body of this delivery is not UTF-8 text, so it cannot be edited.',
      hint: 'Resend it unchanged, or send a test webhook.',
    });
  }
  const text = body.toString('utf8');
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
  } catch {
    return text;
  }
}
