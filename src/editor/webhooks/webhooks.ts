import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import { SharedService, toWorkbenchError } from '../../toolkit/base/errors';
import type { Log, Redactor } from '../../toolkit/base/log';
import type { Delivery } from '../../toolkit/webhook/delivery/delivery';
import type { RefuseNext } from '../../toolkit/webhook/delivery/onPurpose';
import type { WebhookInbox } from '../../toolkit/webhook/journal/openKeptInbox';
import type { WebhookListener } from '../../toolkit/webhook/listener/startWebhookListener';
import type { WebhookProvider } from '../../toolkit/webhook/provider/webhookProvider';
import { usableSecrets } from '../../toolkit/webhook/provider/webhookProvider';
import { ChainSightings } from './chainSightings';
import { hadListenerKey } from './webhookCommandIds';
import type { ListenerAddress } from './listenerAddress';
import { listenerAddress } from './listenerAddress';
import type { StoredSecret } from './webhookSecrets';
import { WebhookSecrets } from './webhookSecrets';
import type { WebhookSettings } from './webhookSettings';
import { readWebhookSettings } from './webhookSettings';
import { WorkspaceOrders } from './workspaceOrders';

/** A running listener, and what is shown about it. */
export interface RunningWebhooks {
  kind: 'running';
  listener: WebhookListener;
  settings: WebhookSettings;
  /** Whose deliveries it receives. */
  provider: WebhookProvider;
  /** The title of a service that is not the usual one. */
  otherService: string | undefined;
  address: ListenerAddress;
  /** Number of deliveries kept. */
  count: number;
  hasSecret: boolean;
  /** Every accepted secret was made here, so only tests can be accepted. */
  onlyTestSecrets: boolean;
  /** What the next deliveries are answered with on purpose, and how many of them were. */
  refusing: (RefuseNext & { done: number }) | undefined;
  /** Reachable from outside this machine: a tunnel's host is allowed, or the editor forwards the port. */
  exposed: boolean;
}

export type WebhooksState =
  { kind: 'stopped' } | { kind: 'starting' } | RunningWebhooks | { kind: 'failed'; message: string };

/** This window's webhook listener: runs in a worker thread, started and stopped by the user. */
export class Webhooks {
  readonly secrets: WebhookSecrets;
  readonly orders: WorkspaceOrders;
  readonly chain: ChainSightings;
  readonly #context: vscode.ExtensionContext;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when the state, or anything shown about a running listener, has changed. */
  readonly onDidChange = this.#changed.event;
  readonly #received = new vscode.EventEmitter<Delivery>();
  /** Fires for each delivery, once. */
  readonly onDidReceive = this.#received.event;
  readonly #madeSecret = new vscode.EventEmitter<string>();
  /** Fires with the name of a test secret that a start has made, because there was none. */
  readonly onDidMakeSecret = this.#madeSecret.event;
  readonly #service: SharedService<RunningWebhooks>;
  #state: WebhooksState = { kind: 'stopped' };
  /** The deliveries left by the last listener. */
  #kept: WebhookInbox | undefined;
  #isClosing = false;
  #following: vscode.Disposable | undefined;
  #settling: Promise<void> = Promise.resolve();

  constructor(context: vscode.ExtensionContext, redactor: Redactor, log: Log) {
    this.#context = context;
    this.#log = log.area('webhooks');
    this.secrets = new WebhookSecrets(context.secrets, redactor, context.globalState);
    this.orders = new WorkspaceOrders(this.#log, context.workspaceState);
    this.chain = new ChainSightings(context.workspaceState);
    this.chain.onDidChange(() => this.#changed.fire());
    this.#service = new SharedService({
      start: () => this.#start(),
      stop: async ({ listener }) => {
        this.#following?.dispose();
        await listener.close();
        await this.#readKept(listener.problems);
      },
      onState: (state) =>
        this.#set(
          state.kind === 'failed'
            ? { kind: 'failed', message: toWorkbenchError(state.error).message }
            : state,
        ),
    });
  }

  state(): WebhooksState {
    return this.#state;
  }

  /** The deliveries of the running listener, or of the last one. */
  inbox(): WebhookInbox | undefined {
    const state = this.#state;
    return state.kind === 'running' ? { ...state.listener, count: state.count } : this.#kept;
  }

  /** Shows what an earlier listener of this workspace has left, unless one is running. */
  async showKept(): Promise<void> {
    if (this.#kept === undefined && !this.#service.isStarted) {
      await this.orders.read();
      await this.#readKept();
      if (!this.#service.isStarted) {
        this.#set(this.#state);
      }
    }
  }

  /** Starts the listener unless it is running; concurrent callers share one start. */
  ensureRunning(): Promise<RunningWebhooks> {
    return this.#service.ensureRunning();
  }

  stop(): Promise<void> {
    return this.#service.stop();
  }

  /** Restarts with the current settings, if running. */
  async restart(): Promise<void> {
    if (this.#service.isStarted) {
      await this.stop();
      await this.ensureRunning();
    }
  }

  async dispose(): Promise<void> {
    this.#isClosing = true;
    await this.stop();
    this.#following?.dispose();
    this.#madeSecret.dispose();
    this.#received.dispose();
    this.secrets.dispose();
    this.orders.dispose();
    this.chain.dispose();
    this.#changed.dispose();
  }

  async #start(): Promise<RunningWebhooks> {
    const settings = readWebhookSettings();
    const { providerOf } = await import('../../toolkit/webhook/provider/providerOf');
    const { headersToRead } = await import('../../toolkit/webhook/send/headersToSend');
    const provider = providerOf(settings.service);
    const made = await this.secrets.makeFirst(provider.secretForm);
    const [secrets, { orders }, { startWebhookListener }] = await Promise.all([
      this.secrets.all(),
      this.orders.read(),
      import('../../toolkit/webhook/listener/startWebhookListener'),
    ]);
    const journalDirectory = this.#journalDirectory();
    const listener = await startWebhookListener({
      ...settings,
      provider: settings.service,
      signatureHeaders: headersToRead(provider, settings.signatureHeaders),
      secrets: usableSecrets(provider, secrets),
      orders,
      journalDirectory,
      log: this.#log,
    });
    const [{ total }, address] = await Promise.all([
      listener.deliveries({ limit: 1 }),
      listenerAddress(listener.port, settings.path),
    ]);
    const running: RunningWebhooks = {
      kind: 'running',
      listener,
      settings,
      provider,
      otherService: provider.name === providerOf().name ? undefined : provider.title,
      address,
      count: total,
      ...accepting(provider, secrets),
      refusing: undefined,
      exposed: settings.allowedHosts.length > 0 || address.foreignHost !== undefined,
    };
    this.#following?.dispose();
    this.#following = this.#follow(running);
    this.#kept = undefined;
    this.#set(running);
    void this.#context.workspaceState.update(hadListenerKey, true);
    if (made !== undefined) {
      this.#madeSecret.fire(made);
    }
    this.#log.info(`listening on ${listener.url}`);
    return running;
  }

  #journalDirectory(): string {
    const storage = this.#context.storageUri ?? this.#context.globalStorageUri;
    return vscode.Uri.joinPath(storage, 'webhooks').fsPath;
  }

  #follow(running: RunningWebhooks): vscode.Disposable {
    const { listener } = running;
    const ends = [
      listener.onDelivery((delivery) => {
        // The second event of a delivery is its forward result.
        running.count += delivery.forwarded === null ? 1 : 0;
        const { number, of } = delivery.onPurpose ?? { number: 0, of: 0 };
        if (running.refusing !== undefined && number > running.refusing.done) {
          running.refusing = number < of ? { ...running.refusing, done: number } : undefined;
        }
        this.#changed.fire();
        if (delivery.forwarded === null) {
          this.#received.fire(delivery);
        }
      }),
      listener.onStopped((error) => {
        this.#service.lost();
        this.#following?.dispose();
        this.#log.error(error.message, error.cause);
        this.#set({ kind: 'failed', message: error.message });
        this.#run(this.#readKept(running.listener.problems).then(() => this.#set(this.#state)));
      }),
    ];
    return vscode.Disposable.from(
      ...ends.map((dispose) => ({ dispose })),
      this.orders.watch(),
      this.orders.onDidChange(() => this.#run(this.#updateOrders(listener))),
      this.secrets.onDidChange(() => this.#run(this.#updateSecrets(running))),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (
          event.affectsConfiguration('tonWorkbench.webhooks') ||
          event.affectsConfiguration('tonWorkbench.ports') ||
          event.affectsConfiguration('tonWorkbench.coinLabel')
        ) {
          this.#run(this.followSettings());
        }
      }),
    );
  }

  /** Applies a command's change; the next start would pick it up too. */
  async refresh(): Promise<void> {
    if (this.#state.kind === 'running') {
      await this.#updateSecrets(this.#state);
      await this.#updateOrders(this.#state.listener);
    }
  }

  /** Makes the running listener refuse or delay the next deliveries on purpose; undefined: no more. */
  async refuseNext(next: RefuseNext | undefined): Promise<void> {
    if (this.#state.kind === 'running') {
      await this.#state.listener.refuseNext(next);
      this.#state.refusing = next && { ...next, done: 0 };
      this.#changed.fire();
    }
  }

  /** Deletes all deliveries. */
  async clear(): Promise<void> {
    if (this.#state.kind === 'running') {
      await this.#state.listener.clear();
      this.#state.count = 0;
      this.#changed.fire();
      return;
    }
    const { clearJournal } = await import('../../toolkit/webhook/journal/deliveryStore');
    await clearJournal(this.#journalDirectory());
    await this.#readKept();
    this.#set(this.#state);
  }

  /** The journal stays on disk when its listener ends. */
  async #readKept(problems: readonly string[] = []): Promise<void> {
    if (this.#isClosing) {
      return;
    }
    const { openKeptInbox } = await import('../../toolkit/webhook/journal/openKeptInbox');
    const inbox = await openKeptInbox(this.#journalDirectory(), this.orders.last().orders, problems).catch(
      (error: unknown) => this.#log.warn(`The kept deliveries could not be read: ${String(error)}`),
    );
    this.#kept = inbox ?? undefined;
    if (inbox !== undefined && this.#state.kind !== 'running') {
      this.#following?.dispose();
      this.#following = vscode.Disposable.from(
        this.orders.watch(),
        this.orders.onDidChange(() => this.#run(this.#updateOrders(inbox))),
      );
    }
  }

  async #updateOrders(inbox: Pick<WebhookInbox, 'setOrders'>): Promise<void> {
    const { orders } = await this.orders.read();
    await inbox.setOrders(orders);
    this.#changed.fire();
  }

  async #updateSecrets(running: RunningWebhooks): Promise<void> {
    const secrets = await this.secrets.all();
    await running.listener.setSecrets(usableSecrets(running.provider, secrets));
    Object.assign(running, accepting(running.provider, secrets));
    this.#set(this.#state);
  }

  /** Applies the current settings, one change after the other; resolves once they are in effect. */
  followSettings(): Promise<void> {
    const done = this.#settling.then(() => this.#updateSettings());
    this.#settling = done.catch(() => undefined);
    return done;
  }

  async #updateSettings(): Promise<void> {
    const running = this.#state;
    if (running.kind !== 'running') {
      return;
    }
    const { allowedHosts, ...rest } = readWebhookSettings();
    const { allowedHosts: _before, ...before } = running.settings;
    if (JSON.stringify(rest) !== JSON.stringify(before)) {
      await this.restart();
      return;
    }
    await running.listener.setAllowedHosts(allowedHosts);
    running.settings = { ...rest, allowedHosts };
    running.exposed = allowedHosts.length > 0 || running.address.foreignHost !== undefined;
    this.orders.watch();
    await this.#updateOrders(running.listener);
  }

  /** Runs work triggered by an event: failures are logged and shown in the state. */
  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#log.error('The webhook listener could not follow a change', error));
  }

  #set(state: WebhooksState): void {
    this.#state = state;
    const armed = state.kind === 'running' && (state.hasSecret || state.provider.isSecretOptional);
    setContextKey(vscode.commands, 'tonWorkbench.webhooksState', state.kind);
    setContextKey(vscode.commands, 'tonWorkbench.webhooksShown', this.inbox() !== undefined);
    setContextKey(vscode.commands, 'tonWorkbench.webhooksHaveSecret', armed);
    this.#changed.fire();
  }
}

function accepting(
  provider: WebhookProvider,
  secrets: readonly StoredSecret[],
): Pick<RunningWebhooks, 'hasSecret' | 'onlyTestSecrets'> {
  const accepted = usableSecrets(provider, secrets).filter((secret) => secret.accepted);
  return {
    hasSecret: accepted.length > 0,
    onlyTestSecrets: accepted.length > 0 && accepted.every(({ made }) => made === true),
  };
}
