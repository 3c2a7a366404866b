import * as vscode from 'vscode';
import type { Disposable } from 'vscode';
import { friendlyWallet } from '../../toolkit/address/canonicalAddress';
import type { Redactor } from '../../toolkit/base/log';
import type { Delivery } from '../../toolkit/webhook/delivery/delivery';
import type { WebhookNode } from '../../toolkit/webhook/views/deliveryNodes';
import { withoutSecret } from '../../toolkit/webhook/views/deliveryNodes';
import type { KnownAccount } from '../project/accountName';
import { knownAccounts, localAccounts } from '../project/accountName';
import type { TraceServices } from '../traces/liveTraces';
import type { LazyTree } from '../ui/registerCommands';
import { EditedDeliveries, lookUpPayment } from './editedDeliveries';
import { EndpointChecks } from './endpointChecks';
import { DeliveryFilter } from './listCommands';
import type { WebhookServices } from './listenerCommands';
import { SentTests } from './listenerCommands';
import { tellForgottenSecrets, tellMadeSecret } from './secretCommands';
import type { WebhookCommands } from './webhookCommands';
import { webhookCommands } from './webhookCommands';
import { serviceOfDelivery } from './listenedService';
import { WebhookTree } from './webhookTree';
import type { RunningWebhooks, WebhooksState } from './webhooks';
import { Webhooks } from './webhooks';

/** Everything about webhooks, loaded on first use: the listener, its view, its status bar item, and its commands. */
export class WebhookFeature {
  readonly webhooks: Webhooks;
  readonly commands: WebhookCommands;
  readonly services: WebhookServices;
  readonly #parts: vscode.Disposable[];

  constructor(shared: TraceServices, redactor: Redactor, rows: LazyTree<WebhookNode>) {
    this.webhooks = new Webhooks(shared.context, redactor, shared.log);
    const sent = new SentTests(shared.context.workspaceState);
    const services = { ...shared, webhooks: this.webhooks, sent };
    this.services = services;
    const filter = new DeliveryFilter();
    const tree = new WebhookTree(services, filter);
    const edited = new EditedDeliveries(services);
    const checks = new EndpointChecks(services);
    this.commands = webhookCommands({ services, filter, tree, edited, checks });
    this.#parts = [
      sent,
      filter,
      tree,
      edited,
      checks,
      registerWebhookView(services, { view: rows.view, tree, filter }),
      registerWebhookStatus(services),
      followOnLocalChain(services),
      registerOrderCompletions(services),
      this.webhooks.onDidMakeSecret((name) => void tellMadeSecret(services, name)),
      this.webhooks.secrets.onForgotten(() => void tellForgottenSecrets(services)),
    ];
    rows.attach(tree);
  }

  /** Stops the listener; acknowledged deliveries are synced to disk first. */
  async close(): Promise<void> {
    this.#parts.forEach((part) => void part.dispose());
    await this.webhooks.dispose();
  }
}

/** In the orders file, as the value of a recipient: the wallets that have a name. */
function registerOrderCompletions(services: WebhookServices): vscode.Disposable {
  return vscode.languages.registerCompletionItemProvider(
    [{ language: 'json' }, { language: 'jsonc' }],
    {
      provideCompletionItems: async (document, position) => {
        const place = await services.webhooks.orders.locate();
        return place?.file.toString() === document.uri.toString()
          ? recipientsAt(services, document, position)
          : [];
      },
    },
    '"',
  );
}

function recipientsAt(
  services: WebhookServices,
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.CompletionItem[] {
  const { text } = document.lineAt(position);
  const value = /"recipient"\s*:\s*("[^"]*)?$/.exec(text.slice(0, position.character));
  if (value === null) {
    return [];
  }
  const rest = /^[^",}]*"/.exec(text.slice(position.character))?.[0] ?? '';
  const range = new vscode.Range(
    position.translate(0, -(value[1] ?? '').length),
    position.translate(0, value[1] === undefined ? 0 : rest.length),
  );
  return walletsOf(services).map(({ name, address, kind }) => {
    const label = { label: name, description: kind };
    const item = new vscode.CompletionItem(label, vscode.CompletionItemKind.Value);
    item.detail = friendlyWallet(address);
    item.insertText = JSON.stringify(item.detail);
    // It is compared with what is typed, which begins with the quote.
    item.filterText = JSON.stringify(name);
    item.range = range;
    return item;
  });
}

/** Of the current network, and of the local one, on which orders are paid for tests. */
function walletsOf(services: WebhookServices): KnownAccount[] {
  const isLocal = services.networks.current().kind === 'local';
  const all = [...(isLocal ? [] : knownAccounts(services)), ...localAccounts(services)];
  return all.filter(({ isWallet }) => isWallet);
}

/** The view with its rows and their filter. */
interface WebhookViewParts {
  view: vscode.TreeView<WebhookNode>;
  tree: WebhookTree;
  filter: DeliveryFilter;
}

/** Keeps the view's description and rows in step with the listener and the filter. */
function registerWebhookView(
  { webhooks, sent }: WebhookServices,
  { view, tree, filter }: WebhookViewParts,
): vscode.Disposable {
  const describe = (): void => {
    const state = webhooks.state();
    view.description = describeState(webhooks.state(), webhooks.inbox() !== undefined);
    view.message =
      state.kind === 'failed' ? `The webhook listener is not running: ${state.message}` : undefined;
    tree.refresh();
  };
  describe();
  return vscode.Disposable.from(
    webhooks.onDidChange(describe),
    sent.onDidChange(() => tree.refresh()),
    filter.onDidChange(() => tree.showNewest()),
    tree.onDidCount((matching) => {
      const inbox = webhooks.inbox();
      if (inbox !== undefined && webhooks.state().kind !== 'failed') {
        // A view with only a message offers no way out; without a message, it offers to show all deliveries.
        view.message =
          filter.isActive() && matching > 0
            ? `Shown: ${filter.describe()} (${matching} of ${inbox.count})`
            : undefined;
      }
    }),
  );
}

/** `8787 → app, test secret`, `8787, Bicycle, test token`. */
function describeState(state: WebhooksState, hasInbox: boolean): string {
  if (state.kind === 'running') {
    const { listener, settings, onlyTestSecrets, otherService, provider } = state;
    const target = settings.forward === undefined ? '' : ' → app';
    return [
      `${listener.port}${target}`,
      ...(otherService === undefined ? [] : [otherService]),
      ...(onlyTestSecrets ? [`test ${provider.secretForm.word}`] : []),
    ].join(', ');
  }
  return hasInbox && state.kind === 'stopped' ? 'stopped' : '';
}

/**
 * The second status bar item, only while the listener runs: port, count, and a warning if it is reachable from
 * outside.
 */
function registerWebhookStatus({ webhooks }: WebhookServices): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('tonWorkbench.webhooks', vscode.StatusBarAlignment.Left, 49);
  item.name = 'TON Webhooks';
  item.command = 'tonWorkbench.webhooks.focus';
  const update = (): void => {
    const state = webhooks.state();
    if (state.kind !== 'running') {
      item.hide();
      return;
    }
    const { listener, count, exposed, hasSecret } = state;
    item.text = `$(${hasSecret ? 'radio-tower' : 'warning'}) Webhooks ${listener.port}: ${count}`;
    item.backgroundColor = exposed ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.tooltip = tooltip(state);
    item.accessibilityInformation = {
      label: `Webhook listener on port ${listener.port}, ${count} deliveries${exposed ? ', reachable from outside' : ''}`,
      role: 'button',
    };
    item.show();
  };
  update();
  return vscode.Disposable.from(item, webhooks.onDidChange(update));
}

function tooltip(state: RunningWebhooks): vscode.MarkdownString {
  const { address, count, exposed, hasSecret, settings, provider, otherService } = state;
  const text = new vscode.MarkdownString();
  const line = (content: string): void => {
    text.appendText(content);
    text.appendMarkdown('  \n');
  };
  text.appendMarkdown('**TON webhooks**\n\n');
  line(address.local);
  if (address.external !== address.local) {
    line(address.external);
  }
  if (otherService !== undefined) {
    line(`receives from ${otherService}`);
  }
  line(`${count} ${count === 1 ? 'delivery' : 'deliveries'} kept`);
  if (settings.forward !== undefined) {
    line(`forwards ${settings.forward.which} deliveries to ${settings.forward.url}`);
  }
  if (!hasSecret) {
    line(withoutSecret(provider));
  }
  if (exposed) {
    const isOpen = !hasSecret && provider.isSecretOptional;
    line(
      `Reachable from outside this machine: ${isOpen ? 'anyone can send deliveries' : `only deliveries with a valid ${provider.secretForm.mark} are accepted`}.`,
    );
  }
  return text;
}

/**
 * Looks for each accepted payment on the local network, if it runs, as soon as its delivery arrives: there it costs nothing
 * and tells nobody anything; again when the network has gone back to an earlier block. On other networks, the command does that when it is asked to.
 */
function followOnLocalChain(services: WebhookServices): Disposable {
  const ends = new AbortController();
  const warn =
    (what: string) =>
    (error: unknown): void => {
      if (!ends.signal.aborted) {
        services.log.warn(`${what}: ${String(error)}`);
      }
    };
  const look = async ({ id }: Delivery): Promise<void> => {
    const delivery = await services.webhooks.inbox()?.delivery(id);
    const access = await services.connections.to(services.networks.local());
    // A service that does not tell the asset would seem to differ.
    if (delivery !== undefined && (await serviceOfDelivery(delivery)).carries.includes('asset')) {
      // What this network does not know may be on another one.
      await lookUpPayment(services, delivery, { access, signal: ends.signal }, isThere);
    }
  };
  // What was seen on the chain may be undone by now, or be there again.
  const lookAgain = async (): Promise<void> => {
    const { webhooks, networks, connections } = services;
    const local = networks.local();
    const access = await connections.to(local);
    for (const [id, sighting] of webhooks.chain.all()) {
      const isSeen = sighting.network === local.name && sighting.result !== 'absent';
      const delivery = isSeen ? await webhooks.inbox()?.delivery(id) : undefined;
      if (delivery !== undefined) {
        const report = await lookUpPayment(services, delivery, { access, signal: ends.signal }, isThere);
        if (!isThere(report)) {
          await webhooks.chain.set(id, { ...sighting, result: 'undone' });
        }
      }
    }
  };
  let history = historyOf(services);
  const going = services.localNetwork.onDidChange(() => {
    const before = history;
    history = historyOf(services) ?? before;
    if (before !== undefined && history !== before) {
      lookAgain().catch(warn('What was undone on the local network could not be looked up'));
    }
  });
  const following = services.webhooks.onDidReceive((delivery) => {
    const isRunning = services.networks.local().v3 !== undefined;
    // A payment that was undone and made again is told of with the same reference.
    const isPaid = delivery.verdict === 'accepted' || delivery.verdict === 'repeat';
    if (isRunning && isPaid && delivery.payment !== null) {
      look(delivery).catch(warn(`The payment of delivery ${delivery.id} could not be looked up`));
    }
  });
  return {
    dispose: () => {
      ends.abort();
      going.dispose();
      following.dispose();
    },
  };
}

/** Changes when the local network goes back to an earlier block, or is another one. */
function historyOf({ localNetwork }: WebhookServices): string | undefined {
  const state = localNetwork.state();
  return state.kind === 'running' ? `${state.chain} ${state.turns}` : undefined;
}

function isThere({ traceId }: { traceId?: string | undefined }): boolean {
  return traceId !== undefined;
}
