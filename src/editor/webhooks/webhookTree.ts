import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import type { WebhookInbox } from '../../toolkit/webhook/journal/openKeptInbox';
import type { Standing, WebhookNode } from '../../toolkit/webhook/views/deliveryNodes';
import {
  journalProblemNodes,
  noOrdersNode,
  noSecretNode,
  olderNode,
  ordersProblemNode,
  refusingNode,
} from '../../toolkit/webhook/views/deliveryNodes';
import { sentNodes } from '../../toolkit/webhook/views/sentNodes';
import { accountName } from '../project/accountName';
import { KeptRows } from '../ui/keptRows';
import type { DeliveryFilter } from './listCommands';
import type { WebhookServices } from './listenerCommands';
import { readBoard } from './listCommands';

/** Rows per page. */
const pageSize = 200;

/** Milliseconds; deliveries come in bursts, and the tree updates after the last one. */
const debounceMs = 100;

const looks: Readonly<Record<Standing, [icon: string, color: string | undefined]>> = {
  good: ['pass', 'testing.iconPassed'],
  bad: ['error', 'testing.iconFailed'],
  warning: ['warning', 'list.warningForeground'],
  pending: ['loading~spin', undefined],
  skipped: ['circle-slash', 'disabledForeground'],
  plain: ['circle-small', undefined],
};

/** The rows of the view "Webhooks": orders first, then tests and other deliveries, newest first, a page at a time. */
export class WebhookTree implements vscode.TreeDataProvider<WebhookNode>, vscode.Disposable {
  readonly #services: WebhookServices;
  readonly #filter: DeliveryFilter;
  readonly #changed = new vscode.EventEmitter<WebhookNode[] | undefined>();
  readonly #rows = new KeptRows<WebhookNode>(({ id }) => id, isDeepStrictEqual);
  #reading: Promise<WebhookNode[] | undefined> | undefined;
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #counted = new vscode.EventEmitter<number>();
  /** Number of matching rows, after each reading. */
  readonly onDidCount = this.#counted.event;
  #timer: NodeJS.Timeout | undefined;
  #limit = pageSize;
  /** Number of matching deliveries. */
  #total = 0;

  constructor(services: WebhookServices, filter: DeliveryFilter) {
    this.#services = services;
    this.#filter = filter;
  }

  refresh(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#show();
    }, debounceMs);
  }

  /** Reads the rows, then shows them. */
  async #show(): Promise<void> {
    const changed = await this.#read();
    if (changed === undefined || changed.length > 0) {
      this.#changed.fire(changed);
    }
    if (changed !== undefined) {
      this.#counted.fire(this.#total);
    }
  }

  /** One reading at a time, so that the newest result wins. */
  #read(): Promise<WebhookNode[] | undefined> {
    this.#reading = (this.#reading ?? Promise.resolve()).then(() => this.#readNow());
    return this.#reading;
  }

  /** @returns the rows to refresh */
  async #readNow(): Promise<WebhookNode[] | undefined> {
    const inbox = this.#services.webhooks.inbox();
    try {
      return this.#rows.update(inbox === undefined ? this.#sent() : await this.#roots(inbox));
    } catch (error) {
      // For example, because the listener was stopped: its state change triggers the next reading.
      this.#services.log.debug(`deliveries are not read: ${String(error)}`);
      return this.#rows.update(this.#sent());
    }
  }

  /** Shows one more page. */
  showOlder(): void {
    this.#limit += pageSize;
    this.refresh();
  }

  /** Back to the first page. */
  showNewest(): void {
    this.#limit = pageSize;
    this.refresh();
  }

  async getChildren(element?: WebhookNode): Promise<WebhookNode[]> {
    if (element === undefined) {
      await (this.#reading ?? this.#read());
      // The view's description changes with the rows, not before them.
      this.#counted.fire(this.#total);
      return [...this.#rows.rows()];
    }
    if (element.children !== 'delivery') {
      return [...(element.children ?? [])];
    }
    const { deliveryNodes } = await import('../../toolkit/webhook/views/deliveryNodes');
    const full = await this.#services.webhooks.inbox()?.delivery(element.delivery?.id ?? '');
    return full === undefined ? [] : deliveryNodes(full, accountName(this.#services));
  }

  getTreeItem(node: WebhookNode): vscode.TreeItem {
    const collapsed = node.expanded
      ? vscode.TreeItemCollapsibleState.Expanded
      : vscode.TreeItemCollapsibleState.Collapsed;
    const item = new vscode.TreeItem(
      node.label,
      node.children === undefined ? vscode.TreeItemCollapsibleState.None : collapsed,
    );
    const [icon, color] = looks[node.standing];
    item.id = node.id;
    item.description = node.description;
    item.iconPath = new vscode.ThemeIcon(
      node.icon ?? icon,
      (node.icon !== undefined && node.standing === 'plain') || color === undefined
        ? undefined
        : new vscode.ThemeColor(color),
    );
    // Plain text: untrusted content is never markdown.
    item.tooltip = node.tooltip ?? [node.label, node.description].filter((part) => part !== '').join(': ');
    item.accessibilityInformation = {
      label: node.spoken ?? `${word(node.standing)}${node.label}, ${node.description}`,
    };
    if (node.contextValue !== undefined) {
      item.contextValue = node.contextValue;
    }
    const command = commandOf(node);
    if (command !== undefined) {
      item.command = command;
    }
    return item;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#changed.dispose();
    this.#counted.dispose();
  }

  /** Also without a listener. */
  #sent(): WebhookNode[] {
    return this.#filter.isActive() ? [] : sentNodes(this.#services.sent.all());
  }

  async #roots(inbox: WebhookInbox): Promise<WebhookNode[]> {
    const { boardNodes } = await import('../../toolkit/webhook/views/boardNodes');
    const { board, total, left } = await readBoard(this.#services, inbox, this.#filter, this.#limit);
    this.#total = total;
    const rows = [...boardNodes(board), ...this.#sent()];
    const { webhooks } = this.#services;
    const { file, problem, untrusted } = webhooks.orders.last();
    const state = webhooks.state();
    const needsSecret = state.kind === 'running' && !state.hasSecret ? state.provider : undefined;
    const isEmpty = rows.length === 0;
    const isFiltered = this.#filter.isActive();
    const orders = ordersProblemNode({ problem, untrusted });
    const refusing = state.kind === 'running' ? state.refusing : undefined;
    return [
      ...(refusing === undefined ? [] : [refusingNode(refusing)]),
      ...journalProblemNodes(inbox.problems),
      // If there is nothing else to show, the empty state says so, with a button.
      ...(needsSecret === undefined || (isEmpty && !isFiltered && !needsSecret.isSecretOptional)
        ? []
        : [noSecretNode(needsSecret)]),
      ...(orders === undefined ? [] : [orders]),
      ...rows,
      ...(left > 0 ? [olderNode(left, pageSize)] : []),
      ...(orders !== undefined || file !== undefined || isEmpty || isFiltered ? [] : [noOrdersNode]),
    ];
  }
}

function commandOf(node: WebhookNode): vscode.Command | undefined {
  switch (node.action) {
    case 'openDelivery':
      return asCommand('tonWorkbench.openDelivery', 'Open', node);
    case 'openOrdersFile':
      return asCommand('tonWorkbench.newOrdersFile', 'Open');
    case 'openPayment': {
      const reference = node.order?.reference ?? '';
      return asCommand('tonWorkbench.openPayment', 'Open Payment', { payment: { reference } });
    }
    case 'checkOnChain':
      return asCommand('tonWorkbench.checkDeliveryOnChain', 'Check Against the Chain', node);
    case 'forward':
      return asCommand('tonWorkbench.forwardWebhooks', 'Forward to Your Application');
    case 'endRefusing':
      return asCommand('tonWorkbench.acceptDeliveries', 'Accept Deliveries Again');
    case 'showOlder':
      return asCommand('tonWorkbench.showOlderDeliveries', 'Show Older');
    case 'addSecret':
      return asCommand('tonWorkbench.webhookSecrets', 'Add a Secret', 'add');
    case 'manageTrust':
      return { command: 'workbench.trust.manage', title: 'Manage Workspace Trust' };
    case 'showLog':
      return asCommand('tonWorkbench.showLog', 'Show Log');
    case undefined:
      return undefined;
  }
}

function word(standing: Standing): string {
  switch (standing) {
    case 'good':
      return 'passed: ';
    case 'bad':
      return 'failed: ';
    case 'warning':
      return 'warning: ';
    case 'pending':
      return 'waiting: ';
    case 'skipped':
      return 'not checked: ';
    case 'plain':
      return '';
  }
}
