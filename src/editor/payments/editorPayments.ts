import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import { friendlyWallet } from '../../toolkit/address/canonicalAddress';
import { toWorkbenchError } from '../../toolkit/base/errors';
import type { MockPayment, PaymentChange, PaymentChangeKind } from '../../toolkit/payments/mockPayment';
import type { PlainPaymentSettings } from '../../toolkit/payments/paymentSettings';
import { paymentStanding, paymentTitle, paymentTrouble } from '../../toolkit/payments/paymentWords';
import type { PaymentsThread } from '../../toolkit/payments/startPaymentsThread';
import { visibleText } from '../../toolkit/base/text';
import type { Order } from '../../toolkit/webhook/orders/parseOrders';
import { accountName } from '../project/accountName';
import type { ListedPayment, PaymentsViewState } from '../localnet/localElement';
import { LocalServer } from '../localnet/localServer';
import { windowClient } from '../networks/apiKeys';
import { listenerEndpoint } from '../webhooks/endpointTests';
import type { WebhookServices } from '../webhooks/listenerCommands';
import { paymentsServer } from './paymentsServer';

/** In the state of the workspace: the raw address that gets payments without a recipient, last chosen. */
const recipientKey = 'payments.recipient';
const apiKeyKey = 'paymentsApiKey';
const secretName = 'payments';

/** Changes after which a payment stands where it stood. */
const onlyAboutWebhooks: ReadonlySet<PaymentChangeKind> = new Set([
  ...(['attempt', 'delivered', 'undelivered', 'late', 'withheld', 'no-url'] as const),
]);

/** What counts of this window's webhook listener. */
interface ListenerFacts {
  url: string;
  /** The title of the service that it expects, if that is not the payment service. */
  otherService: string | undefined;
}

/** The mock of the payment API of a window: runs in a worker thread, and with the local network only. */
export class EditorPayments extends LocalServer<PaymentsThread> {
  readonly #own: WebhookServices;
  readonly #payments = new vscode.EventEmitter<PaymentChange>();
  /** Something happened to a payment. */
  readonly onPayment = this.#payments.event;
  readonly #signed = new vscode.EventEmitter<void>();
  /** Webhooks are signed with another secret than before, which the shop must know. */
  readonly onSecretChanged = this.#signed.event;
  readonly #forgotten = new vscode.EventEmitter<void>();
  /** The editor did not keep the API key, as some do not over a reload: there is a new one, which the shop must know. */
  readonly onKeyForgotten = this.#forgotten.event;
  readonly #unfit = new vscode.EventEmitter<string>();
  /** This window's listener gets the webhooks, and refuses them: it expects those of another service, with this title. */
  readonly onUnfitListener = this.#unfit.event;
  readonly #watch: vscode.Disposable;
  #settings: PlainPaymentSettings = {};
  /** Told once the API runs with the new one. */
  #isKeyForgotten = false;
  /** Of the listener that gets the webhooks; a stopped one keeps its address, so that deliveries to it fail. */
  #listener: ListenerFacts | undefined;

  constructor(services: WebhookServices) {
    super(services, { ...paymentsServer, name: 'the payment API', inUse: 'journal-in-use' });
    this.#own = services;
    const { webhooks } = services;
    this.#watch = vscode.Disposable.from(
      webhooks.onDidChange(() => {
        const now = this.#runningListener();
        if (now !== undefined && JSON.stringify(now) !== JSON.stringify(this.#listener)) {
          this.#refreshSoon();
        }
      }),
      webhooks.secrets.onDidChange(() => this.#refreshSoon()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('tonWorkbench.payments')) {
          this.#refreshSoon();
        }
      }),
    );
  }

  /** With the values of its secrets, as last given to the running thread. */
  get settings(): PlainPaymentSettings {
    return this.#settings;
  }

  /** The raw address of the merchant: chosen last, else the second wallet, because the first one pays. */
  get recipient(): string | undefined {
    const kept = this.services.context.workspaceState.get<string>(recipientKey);
    const state = this.services.localNetwork.state();
    const wallets = state.kind === 'running' ? state.accounts : [];
    return kept ?? (wallets[1] ?? wallets[0])?.address;
  }

  async setRecipient(address: string): Promise<void> {
    await this.services.context.workspaceState.update(recipientKey, address);
    await this.#refresh();
  }

  state(): PaymentsViewState | undefined {
    const thread = this.thread;
    if (thread === undefined) {
      return undefined;
    }
    const payments = thread.newest();
    const name = accountName(this.services, this.services.networks.local());
    return {
      url: thread.url,
      waiting: payments.filter(({ status }) => status === 'pending').length,
      payments: payments.map((payment) => listedPayment(payment, name)),
      older: thread.size - payments.length,
    };
  }

  override async dispose(): Promise<void> {
    this.#watch.dispose();
    await super.dispose();
    this.#payments.dispose();
    this.#signed.dispose();
    this.#unfit.dispose();
    this.#forgotten.dispose();
  }

  protected async open(): Promise<PaymentsThread> {
    const { connections, networks, log, context } = this.services;
    const [{ startPaymentsThread }, { isPaymentApiOf }, { paymentsElsewhereError }] = await Promise.all([
      import('../../toolkit/payments/startPaymentsThread'),
      import('../../toolkit/payments/isPaymentApiOf'),
      import('../../toolkit/payments/paymentErrors'),
    ]);
    const { network } = await connections.open(networks.local());
    const port = readSetting(vscode.workspace, 'tonWorkbench.ports').payments;
    // Before any secret is made, which nobody would use. An editor may give a second window its own storage.
    if (network.v3 !== undefined && (await isPaymentApiOf(port, network.v3))) {
      throw paymentsElsewhereError(port);
    }
    const storage = context.storageUri ?? context.globalStorageUri;
    await this.#startListener();
    this.#settings = await this.#readSettings();
    const thread = await startPaymentsThread({
      ...{ network, client: windowClient, log: log.area('payments'), settings: this.#settings },
      port,
      journalDirectory: vscode.Uri.joinPath(storage, 'payments').fsPath,
    });
    thread.problems.forEach((problem) => log.warn(`payments: ${problem}`));
    thread.onChange((change) => {
      if (!onlyAboutWebhooks.has(change.change)) {
        this.#expect(thread);
      }
      this.#payments.fire(change);
      this.changed();
    });
    return thread;
  }

  protected opened(thread: PaymentsThread): Promise<void> {
    this.#expect(thread);
    this.#tellUnfit(undefined);
    if (this.#isKeyForgotten) {
      this.#isKeyForgotten = false;
      this.#forgotten.fire();
    }
    return Promise.resolve();
  }

  /** Payments are orders of the board, though they are in no file. */
  #expect(thread: PaymentsThread): void {
    this.#own.webhooks.orders.expect(
      thread.newest().map((payment): Order => {
        const { reference, amount, asset, rawAmount, recipientAddr: recipient, createdAt } = payment;
        const trouble = paymentTrouble(payment);
        return { reference, amount, asset, rawAmount, recipient, createdAt, isCreated: true, trouble };
      }),
    );
  }

  /** Without a listener, payments settle all the same. */
  async #startListener(): Promise<void> {
    if (ownWebhookUrl() === '') {
      await listenerEndpoint(this.#own).catch((error: unknown) =>
        this.services.log.warn(`payments have no webhook listener: ${toWorkbenchError(error).message}`),
      );
    }
  }

  #runningListener(): ListenerFacts | undefined {
    const state = this.#own.webhooks.state();
    return state.kind === 'running'
      ? { url: state.listener.url, otherService: state.otherService }
      : undefined;
  }

  /** @param before the other service that the listener has expected so far */
  #tellUnfit(before: string | undefined): void {
    const { receiverExpects } = this.#settings;
    if (receiverExpects !== undefined && receiverExpects !== before) {
      this.#unfit.fire(receiverExpects);
    }
  }

  /** The listener of this window gets the webhooks, signed with a secret that it accepts. */
  async #readSettings(): Promise<PlainPaymentSettings> {
    const { parseEndpoint } = await import('../../toolkit/webhook/send/parseEndpoint');
    const own = ownWebhookUrl();
    this.#listener = this.#runningListener() ?? this.#listener;
    const webhookUrl = own === '' ? this.#listener?.url : parseEndpoint(own).href;
    const isListener = webhookUrl === this.#listener?.url;
    const { recipient } = this;
    return {
      ...{ webhookUrl, webhookSecret: await this.#secret(), apiKey: await this.#apiKey() },
      keyIsOptional: true,
      receiverExpects: isListener ? this.#listener?.otherService : undefined,
      ...(recipient === undefined ? {} : { recipientAddr: friendlyWallet(recipient) }),
    };
  }

  /** Only secrets made here are ever given out again. */
  async #secret(): Promise<string> {
    const { webhooks } = this.#own;
    const { value } = await webhooks.secrets.forTests(secretName);
    await webhooks.refresh();
    return value;
  }

  async #apiKey(): Promise<string> {
    const { secrets, globalState } = this.services.context;
    const kept = await secrets.get(apiKeyKey);
    if (kept !== undefined) {
      return kept;
    }
    const key = `test_${randomBytes(24).toString('base64url')}`;
    await secrets.store(apiKeyKey, key);
    this.#isKeyForgotten ||= globalState.get(apiKeyKey) === true;
    await globalState.update(apiKeyKey, true);
    return key;
  }

  #refreshSoon(): void {
    this.#refresh().catch((error: unknown) =>
      this.services.log.error('The payment API could not follow a change', error),
    );
  }

  async #refresh(): Promise<void> {
    const { thread } = this;
    if (thread === undefined) {
      return;
    }
    const settings = await this.#readSettings();
    if (JSON.stringify(settings) !== JSON.stringify(this.#settings)) {
      const { webhookSecret, receiverExpects } = this.#settings;
      const isSignedAnew = settings.webhookSecret !== webhookSecret;
      this.#settings = settings;
      await thread.control.call('setSettings', settings);
      if (isSignedAnew) {
        this.#signed.fire();
      }
      this.#tellUnfit(receiverExpects);
    }
  }
}

/** Empty: the listener of this window. */
function ownWebhookUrl(): string {
  return readSetting(vscode.workspace, 'tonWorkbench.payments.webhookUrl').trim();
}

function listedPayment(payment: MockPayment, nameOf: (address: string) => string | undefined): ListedPayment {
  const { standing, text } = paymentStanding(payment);
  const { reference, status, txHash, problems, webhook, commentToRecipient: comment = '' } = payment;
  return {
    reference,
    label: paymentTitle(payment, nameOf),
    description: comment === '' ? text : `${text}  "${visibleText(comment, 60)}"`,
    standing,
    isPaid: status === 'success',
    hasTrace: txHash !== '' || problems.length > 0,
    hasDelivery: (webhook?.attempts.length ?? 0) > 0,
  };
}
