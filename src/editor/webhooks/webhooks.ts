import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import { abortedError, toWorkbenchError } from '../../toolkit/errors';
import type { Log, Redactor } from '../../toolkit/log';
import { SharedService } from '../../toolkit/sharedService';
import type { WebhookListener } from '../../toolkit/webhook/listener/startWebhookListener';
import { keepInbox } from '../../toolkit/webhook/listener/keepInbox';
import type { WebhookInbox } from '../../toolkit/webhook/listener/keepInbox';
import { listenerAddress } from './listenerAddress';
import type { ListenerAddress } from './listenerAddress';
import { WebhookSecrets } from './webhookSecrets';
import { readWebhookSettings } from './webhookSettings';
import type { WebhookSettings } from './webhookSettings';
import { WorkspaceOrders } from './workspaceOrders';

/** A running listener, and what is shown about it. */
export interface RunningWebhooks {
  kind: 'running';
  listener: WebhookListener;
  settings: WebhookSettings;
  address: ListenerAddress;
  /** Number of deliveries kept. */
  count: number;
  hasSecret: boolean;
  /** Reachable from outside this machine: a tunnel's host is allowed, or the editor forwards the port. */
  exposed: boolean;
}

export type WebhooksState =
  { kind: 'stopped' } | { kind: 'starting' } | RunningWebhooks | { kind: 'failed'; message: string };

/** This window's webhook listener: runs in a worker thread, started and stopped by the user. */
export class Webhooks {
  readonly secrets: WebhookSecrets;
  readonly orders: WorkspaceOrders;
  readonly #context: vscode.ExtensionContext;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when the state, or anything shown about a running listener, has changed. */
  readonly onDidChange = this.#changed.event;
  readonly #service: SharedService<RunningWebhooks>;
  #state: WebhooksState = { kind: 'stopped' };
  /** The deliveries left when the listener stopped. */
  #kept: WebhookInbox | undefined;
  #following: vscode.Disposable | undefined;
  #settling: Promise<void> = Promise.resolve();

  constructor(context: vscode.ExtensionContext, redactor: Redactor, log: Log) {
    this.#context = context;
    this.#log = log.area('webhooks');
    this.secrets = new WebhookSecrets(context.secrets, redactor);
    this.orders = new WorkspaceOrders(this.#log);
    this.#service = new SharedService({
      start: () => this.#start(),
      stop: async ({ listener }) => {
        this.#following?.dispose();
        this.#kept = await keepInbox(listener, this.#journalDirectory()).catch(() => undefined);
        await listener.close();
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
    await this.stop();
    this.secrets.dispose();
    this.orders.dispose();
    this.#changed.dispose();
  }

  async #start(): Promise<RunningWebhooks> {
    const settings = readWebhookSettings();
    const [secrets, { orders }, { startWebhookListener }] = await Promise.all([
      this.secrets.all(),
      this.orders.read(),
      import('../../toolkit/webhook/listener/startWebhookListener'),
    ]);
    const journalDirectory = this.#journalDirectory();
    const listener = await startWebhookListener({
      ...settings,
      secrets,
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
      address,
      count: total,
      hasSecret: secrets.some((secret) => secret.accepted !== false),
      exposed: settings.allowedHosts.length > 0 || address.foreignHost !== undefined,
    };
    this.#following = this.#follow(running);
    this.#set(running);
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
        this.#changed.fire();
      }),
      listener.onStopped((error) => {
        this.#service.lost();
        this.#following?.dispose();
        this.#log.error(error.message, error.cause);
        this.#set({ kind: 'failed', message: error.message });
      }),
    ];
    return vscode.Disposable.from(
      ...ends.map((dispose) => ({ dispose })),
      this.orders.watch(),
      this.orders.onDidChange(() => this.#run(this.#updateOrders(running))),
      this.secrets.onDidChange(() => this.#run(this.#updateSecrets(running))),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (
          event.affectsConfiguration('tonWorkbench.webhooks') ||
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
      await this.#updateOrders(this.#state);
    }
  }

  /** Resets the count after all deliveries were deleted. */
  async clear(): Promise<void> {
    if (this.#state.kind !== 'running') {
      throw abortedError();
    }
    await this.#state.listener.clear();
    this.#state.count = 0;
    this.#changed.fire();
  }

  async #updateOrders({ listener }: RunningWebhooks): Promise<void> {
    const { orders } = await this.orders.read();
    await listener.setOrders(orders);
    this.#changed.fire();
  }

  async #updateSecrets(running: RunningWebhooks): Promise<void> {
    const secrets = await this.secrets.all();
    await running.listener.setSecrets(secrets);
    running.hasSecret = secrets.some((secret) => secret.accepted !== false);
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
    await this.#updateOrders(running);
  }

  /** Runs work triggered by an event: failures are logged and shown in the state. */
  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#log.error('The webhook listener could not follow a change', error));
  }

  #set(state: WebhooksState): void {
    this.#state = state;
    const armed = state.kind === 'running' && state.hasSecret;
    setContextKey(vscode.commands, 'tonWorkbench.webhooksState', state.kind);
    setContextKey(vscode.commands, 'tonWorkbench.webhooksShown', this.inbox() !== undefined);
    setContextKey(vscode.commands, 'tonWorkbench.webhooksHaveSecret', armed);
    this.#changed.fire();
  }
}
