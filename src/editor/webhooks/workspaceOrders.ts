import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import { toWorkbenchError } from '../../toolkit/base/errors';
import type { Log } from '../../toolkit/base/log';
import type { Order } from '../../toolkit/webhook/orders/parseOrders';
import { fileExists, readWorkspaceText } from '../ui/readWorkspaceFile';

/** The workspace's expected payments. */
export interface OrdersReading {
  /** With those of the payment API. Undefined: no file, all references are accepted. */
  orders: readonly Order[] | undefined;
  file: vscode.Uri | undefined;
  /** Why the file is invalid; until it is fixed, the orders are those of its last valid version in this window. */
  problem: string | undefined;
  /** There is a file, but the workspace is not trusted, so it is not read. */
  untrusted?: boolean;
}

const settleMs = 150;
const expectedKey = 'webhooks.expectedOrders';

/** The workspace's orders file: found, read, and watched while the listener runs. Only in a trusted workspace. */
export class WorkspaceOrders implements vscode.Disposable {
  readonly #log: Log;
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #watching: vscode.Disposable | undefined;
  #expected: readonly Order[];
  /** Of the file when it was last valid. */
  #valid: readonly Order[] = [];
  #last: OrdersReading = { orders: undefined, file: undefined, problem: undefined };

  /** @param state keeps what is expected, for a window in which the payment API does not run */
  constructor(log: Log, state: vscode.Memento) {
    this.#log = log;
    this.#state = state;
    this.#expected = state.get<Order[]>(expectedKey, []);
  }

  /** As last read. */
  last(): OrdersReading {
    return this.#last;
  }

  /** Payments that are expected without being in the file. */
  get expected(): readonly Order[] {
    return this.#expected;
  }

  /** Sets the payments that are expected without being in the file. */
  expect(orders: readonly Order[]): void {
    this.#expected = orders;
    void this.#state.update(expectedKey, orders);
    this.#changed.fire();
  }

  /** The path of the orders file, existing or not; undefined without a folder. */
  async locate(): Promise<{ file: vscode.Uri; exists: boolean } | undefined> {
    const name = readSetting(vscode.workspace, 'tonWorkbench.webhooks.ordersFile');
    const candidates = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) =>
      vscode.Uri.joinPath(uri, name),
    );
    for (const file of candidates) {
      if (await fileExists(file)) {
        return { file, exists: true };
      }
    }
    return candidates[0] && { file: candidates[0], exists: false };
  }

  /** Reads the file again. While it is invalid, as it is while somebody types, nothing new is accepted. */
  async read(): Promise<OrdersReading> {
    const place = await this.locate();
    const nothing = { orders: undefined, file: undefined, problem: undefined };
    if (place?.exists !== true) {
      this.#valid = [];
      this.#last = nothing;
    } else if (vscode.workspace.isTrusted) {
      this.#last = await this.#readFile(place.file);
    } else {
      this.#last = { ...nothing, untrusted: true };
    }
    return this.#last;
  }

  /** Watches the file until the result is disposed. */
  watch(): vscode.Disposable {
    const name = readSetting(vscode.workspace, 'tonWorkbench.webhooks.ordersFile');
    let timer: NodeJS.Timeout | undefined;
    const soon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#changed.fire(), settleMs);
    };
    const watchers = (vscode.workspace.workspaceFolders ?? []).map((folder) => {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, name));
      watcher.onDidChange(soon);
      watcher.onDidCreate(soon);
      watcher.onDidDelete(soon);
      return watcher;
    });
    this.#watching?.dispose();
    this.#watching = vscode.Disposable.from(
      ...watchers,
      vscode.workspace.onDidGrantWorkspaceTrust(soon),
      vscode.workspace.onDidChangeWorkspaceFolders(soon),
      { dispose: () => clearTimeout(timer) },
    );
    return this.#watching;
  }

  dispose(): void {
    this.#watching?.dispose();
    this.#changed.dispose();
  }

  async #readFile(file: vscode.Uri): Promise<OrdersReading> {
    try {
      const { parseOrders } = await import('../../toolkit/webhook/orders/parseOrders');
      const text = await readWorkspaceText(file, 'ordersFile');
      const coin = readSetting(vscode.workspace, 'tonWorkbench.coinLabel');
      const { orders, warnings } = parseOrders(text, coin);
      warnings.forEach((warning) => this.#log.warn(warning));
      this.#valid = orders;
      return { orders: this.#withExpected(orders), file, problem: undefined };
    } catch (error) {
      const { message } = toWorkbenchError(error);
      this.#log.warn(`orders file: ${message}`);
      return { orders: this.#withExpected(this.#valid), file, problem: message };
    }
  }

  /** The file has the last word about its own. */
  #withExpected(orders: readonly Order[]): Order[] {
    const own = new Set(orders.map(({ reference }) => reference));
    return [...orders, ...this.#expected.filter(({ reference }) => !own.has(reference))];
  }
}
