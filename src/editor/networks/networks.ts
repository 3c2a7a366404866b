import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import type { Network } from '../../toolkit/access/network';
import { publicNetworks, readNetworkSettings } from '../../toolkit/access/network';

/** The name of the embedded local network; reserved. */
const localNetworkName = 'Local';

const currentKey = 'network';
const hostsKey = 'linkHosts';

/** The available networks, and the workspace's current one. */
export class Networks {
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when the list or the current network has changed. */
  readonly onDidChange = this.#changed.event;
  readonly #state: vscode.Memento;
  /** The setting's networks, read once and again after it has changed. */
  #custom: ReturnType<typeof readNetworkSettings> | undefined;
  #local: Network = { name: localNetworkName, kind: 'local', globalId: -239 };

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      this.#changed,
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('tonWorkbench.networks')) {
          this.#custom = undefined;
          this.#changed.fire();
        }
      }),
    );
  }

  /** The embedded local network; its URLs are undefined while it is stopped. */
  local(): Network {
    return this.#local;
  }

  /** Local first, then the public ones, then the custom ones in the setting's order. */
  list(): Network[] {
    return [this.#local, ...publicNetworks, ...this.custom().networks];
  }

  /** The custom networks in the setting, and the problems with unusable ones. */
  custom(): { networks: Network[]; problems: string[] } {
    const reserved = [this.#local, ...publicNetworks].map((network) => network.name);
    this.#custom ??= readNetworkSettings(readSetting(vscode.workspace, 'tonWorkbench.networks'), reserved);
    return this.#custom;
  }

  /** The workspace's network; the local one by default, and if the chosen one no longer exists. */
  current(): Network {
    const name = this.#state.get<string>(currentKey);
    return this.find(name) ?? this.#local;
  }

  async choose(name: string): Promise<void> {
    await this.#state.update(currentKey, name);
    this.#changed.fire();
  }

  /** The network of this name. */
  find(name: string | undefined): Network | undefined {
    return this.list().find((network) => network.name === name);
  }

  /** The network that the user said the links of a host are of. */
  ofHost(host: string): Network | undefined {
    return this.find(this.#state.get<Record<string, string>>(hostsKey)?.[host]);
  }

  async rememberHost(host: string, name: string): Promise<void> {
    await this.#state.update(hostsKey, {
      ...this.#state.get<Record<string, string>>(hostsKey),
      [host]: name,
    });
  }

  /** The local network's current URLs; undefined while it is stopped. */
  setLocal(urls: { v2?: string; v3?: string }): void {
    this.#local = { name: localNetworkName, kind: 'local', globalId: -239, v2: urls.v2, v3: urls.v3 };
    this.#changed.fire();
  }
}
