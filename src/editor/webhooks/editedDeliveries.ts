import { isUtf8 } from 'node:buffer';
import * as vscode from 'vscode';
import type { WebhookRow } from '../../commandTargets';
import { asCommand, readSetting } from '../../contributions';
import type { Access } from '../../toolkit/access/createAccess';
import { WorkbenchError } from '../../toolkit/base/errors';
import { shortenMiddle } from '../../toolkit/base/text';
import type { ChainReport } from '../../toolkit/webhook/chain/checkAgainstChain';
import type { FullDelivery } from '../../toolkit/webhook/delivery/delivery';
import type { TransferData } from '../../toolkit/webhook/payload/payload';
import { deliveryPolicyOf } from '../../toolkit/webhook/provider/providerOf';
import type { Attempt } from '../../toolkit/webhook/send/sendHttpRequest';
import { describeAttempt, sentAgain } from '../../toolkit/webhook/views/sentNodes';
import { accountName } from '../project/accountName';
import { LensChanges } from '../ui/readOnlyDocuments';
import { withProgress } from '../ui/withProgress';
import type { WebhookEndpoint } from './endpointTests';
import { askEndpoint, listenerEndpoint, shortUrl, tellQuietly } from './endpointTests';
import type { WebhookServices } from './listenerCommands';
import { requireInbox } from './listenerCommands';
import { askSigningSecret } from './secretCommands';
import { serviceOfDelivery } from './listenedService';

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

/** A delivery by id, or a row that represents it, belongs to it, or leads to it. */
export type GivenDelivery = string | WebhookRow;

function deliveryId(given: GivenDelivery): string | undefined {
  return typeof given === 'string' ? given : (given.delivery?.id ?? given.order?.deliveryId ?? undefined);
}

/**
 * The complete delivery of a row or id.
 * @throws WorkbenchError `delivery-gone`, `webhooks-stopped` (input)
 */
export async function requireDelivery(services: WebhookServices, item: GivenDelivery): Promise<FullDelivery> {
  const id = deliveryId(item);
  const delivery = id === undefined ? undefined : await requireInbox(services).delivery(id);
  if (delivery === undefined) {
    throw new WorkbenchError({
      code: 'delivery-gone',
      kind: 'input',
      message: 'This delivery is no longer available.',
      hint: 'The oldest deliveries are removed to make room for new ones.',
    });
  }
  return delivery;
}

/** Opens a delivery as a document: verdict, evidence, payload, headers, raw bytes. */
export async function openDelivery(services: WebhookServices, item: GivenDelivery): Promise<void> {
  const { describeDelivery } = await import('../../toolkit/webhook/views/describeDelivery');
  const delivery = await requireDelivery(services, item);
  const { id } = delivery;
  await services.documents.show(
    `webhook/${id}/${deliveryTitle(delivery)}`,
    {
      text: describeDelivery(delivery, accountName(services)),
      lenses: [
        asCommand('tonWorkbench.resendDelivery', '$(debug-rerun) Resend', id),
        asCommand('tonWorkbench.editDelivery', '$(edit) Edit and resend', id),
        asCommand('tonWorkbench.copyDeliveryAsCurl', '$(copy) Copy as curl', id),
        ...(delivery.payment === null
          ? []
          : [
              asCommand('tonWorkbench.showDeliveryTrace', '$(type-hierarchy) Trace', id),
              asCommand('tonWorkbench.checkDeliveryOnChain', '$(globe) Check against the chain', id),
              asCommand('tonWorkbench.debugDelivery', '$(debug-alt) Debug', id),
            ]),
      ],
    },
    { language: 'ton-report', preview: true },
  );
}

/** `accepted 8f3c01…d201`: the tab of a delivery. */
function deliveryTitle({ verdict, reference, id }: FullDelivery): string {
  const name = (reference ?? id).replace(/[^\w.-]+/g, ' ').trim();
  return `${verdict} ${shortenMiddle(name)}`;
}

/** Copies a delivery as a curl command: the same bytes and headers. */
export async function copyDeliveryAsCurl(services: WebhookServices, item: GivenDelivery): Promise<void> {
  const { toCurl } = await import('../../toolkit/webhook/views/toCurl');
  await vscode.env.clipboard.writeText(toCurl(await requireDelivery(services, item)));
  void vscode.window.setStatusBarMessage('Copied the delivery as a curl command', 4000);
}

/** Copies the full value of a row. */
export async function copyDeliveryValue({ label, value }: WebhookRow): Promise<void> {
  if (value !== undefined) {
    await vscode.env.clipboard.writeText(value);
    void vscode.window.setStatusBarMessage(`Copied ${label}`, 4000);
  }
}

/** TON: Check Delivery Against the Chain: compares a payment field by field with the chosen network's records. */
export async function checkOnChainCommand(services: WebhookServices, item: GivenDelivery): Promise<void> {
  const { describeChainReport } = await import('../../toolkit/webhook/chain/describeChainReport');
  const delivery = await requireDelivery(services, item);
  const { name } = services.networks.current();
  const report = await withProgress(`Looking up the payment on ${name}`, async (signal) =>
    lookUpPayment(services, delivery, { access: await services.connections.current(signal), signal }),
  );
  await services.documents.show(
    `webhook-chain/${delivery.id}/${encodeURIComponent(name)}/chain ${deliveryTitle(delivery)}`,
    {
      text: describeChainReport(report, name),
      lenses: [
        asCommand('tonWorkbench.checkDeliveryOnChain', '$(refresh) Check again', delivery.id),
        asCommand('tonWorkbench.switchNetwork', `$(globe) On ${name}; switch…`),
        asCommand('tonWorkbench.openDelivery', '$(go-to-file) The delivery', delivery.id),
      ],
    },
    { language: 'ton-report' },
  );
}

/**
 * Compares the payment of a delivery with a network's records, and keeps the result for the board.
 * @param keeps which results are kept; default: all
 * @throws WorkbenchError `no-payment` (input) if the delivery tells of no payment, and the access layer's errors
 */
export async function lookUpPayment(
  { webhooks }: Pick<WebhookServices, 'webhooks'>,
  delivery: FullDelivery,
  { access, signal }: { access: Access; signal: AbortSignal },
  keeps = (_report: ChainReport): boolean => true,
): Promise<ChainReport> {
  const [{ checkAgainstChain }, { traceSourceOf }, { chainOf }, { chainSighting }] = await Promise.all([
    import('../../toolkit/webhook/chain/checkAgainstChain'),
    import('../../toolkit/access/traceSourceOf'),
    import('../../toolkit/webhook/chain/chainOf'),
    import('../../toolkit/webhook/board/chainSighting'),
  ]);
  const coin = readSetting(vscode.workspace, 'tonWorkbench.coinLabel');
  const report = await checkAgainstChain(
    await transferOf(delivery),
    chainOf(traceSourceOf(access), signal),
    coin,
  );
  if (keeps(report)) {
    await webhooks.chain.set(delivery.id, chainSighting(report, access.network.name));
  }
  return report;
}

async function transferOf({ body, verdict }: FullDelivery): Promise<TransferData> {
  const { parsePayload } = await import('../../toolkit/webhook/payload/payload');
  const parsed = parsePayload(body);
  if (parsed.kind === 'transfer') {
    return parsed.payload.data;
  }
  const { noPaymentError } = await import('../../toolkit/webhook/payload/readTransfers');
  throw noPaymentError(`This delivery (${verdict})`);
}

/** Replaces the bytes as received. */
interface EditedBody {
  body: Buffer;
  /** Signs the edited bytes. */
  secret: string;
}

/** Sends a delivery again as received, or signed anew if it would not be genuine anymore: to this window's listener, or with `ask` to any receiver. */
export async function resendCommand(
  services: WebhookServices,
  item: GivenDelivery,
  ask: boolean,
): Promise<void> {
  const delivery = await requireDelivery(services, item);
  const endpoint = ask
    ? await askEndpoint(services, 'TON: Resend Delivery To', { listener: true })
    : await listenerEndpoint(services);
  if (endpoint !== undefined) {
    tellAttempt(services, delivery, await resendOnce(services, delivery, endpoint), endpoint);
  }
}

/** One attempt, without the service's retries: the user reads the answer. */
async function resendOnce(
  services: WebhookServices,
  delivery: FullDelivery,
  { url }: WebhookEndpoint,
  edited?: EditedBody,
): Promise<Attempt> {
  const { canReplay, resendDelivery } = await import('../../toolkit/webhook/send/resendDelivery');
  const provider = await serviceOfDelivery(delivery);
  const secret = edited?.secret ?? (canReplay(provider) ? undefined : await secretBehind(services, delivery));
  const { attempts } = await withProgress(`Resending to ${shortUrl(url)}`, (signal) =>
    resendDelivery(delivery, { url, retries: 0, signal, provider, body: edited?.body, secret }),
  );
  return attempts[0] as Attempt;
}

/** The secret that a delivery was signed with; undefined if it was not genuine, or the secret is gone. */
async function secretBehind(
  { webhooks }: WebhookServices,
  { secret: name }: FullDelivery,
): Promise<string | undefined> {
  return (await webhooks.secrets.all()).find((secret) => secret.name === name)?.value;
}

/** Shows the answer: unobtrusively for our own listener, whose view shows it anyway; another's leaves a row. */
function tellAttempt(
  { sent }: WebhookServices,
  delivery: FullDelivery,
  attempt: Attempt,
  { url, isListener }: WebhookEndpoint,
): void {
  const isDelivered = attempt.status !== null && deliveryPolicyOf(delivery).isDelivered(attempt.status);
  const text = `${shortUrl(url)}: ${describeAttempt(attempt)}`;
  if (isListener) {
    tellQuietly(text);
    return;
  }
  sent.add(
    sentAgain(delivery.orderReference ?? delivery.reference ?? delivery.id, url.href, attempt, isDelivered),
  );
  void (isDelivered ? vscode.window.showInformationMessage(text) : vscode.window.showWarningMessage(text));
}
