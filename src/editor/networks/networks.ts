import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import { publicNetworks } from '../../toolkit/access/network';
import type { Network } from '../../toolkit/access/network';
import { readNetworkSettings } from '../../toolkit/access/readNetworkSettings';

/** The name of the embedded local network; no custom network can take it. */
const localNetworkName = 'Local';

const currentKey = 'network';

/** The networks a user can choose from, and the one this workspace has chosen. */
export class Networks {
  readonly #changed = new vscode.EventEmitter<void>();
  /** The list or the choice has changed. */
  readonly onDidChange = this.#changed.event;
  readonly #state: vscode.Memento;
  #local: Network = { name: localNetworkName, kind: 'local', globalId: -239 };

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      this.#changed,
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('tonWorkbench.networks')) {
          this.#changed.fire();
        }
      }),
    );
  }

  /** The embedded local network; its URLs are undefined while it does not run. */
  local(): Network {
    return this.#local;
  }

  /** Local first, then the public ones, then the custom ones of the setting in their order. */
  list(): Network[] {
    return [this.#local, ...publicNetworks, ...this.custom().networks];
  }

  /** The custom networks of the setting, and what is wrong with those that cannot be used. */
  custom(): { networks: Network[]; problems: string[] } {
    const reserved = [this.#local, ...publicNetworks].map((network) => network.name);
    return readNetworkSettings(readSetting(vscode.workspace, 'tonWorkbench.networks'), reserved);
  }

  /** The network of this workspace; Local until another is chosen, and again when the chosen one has gone. */
  current(): Network {
    const name = this.#state.get<string>(currentKey);
    return this.list().find((network) => network.name === name) ?? this.#local;
  }

  async choose(name: string): Promise<void> {
    await this.#state.update(currentKey, name);
    this.#changed.fire();
  }

  /** Where the local network answers now; undefined URLs while it does not run. */
  setLocal(urls: { v2?: string; v3?: string }): void {
    this.#local = { name: localNetworkName, kind: 'local', globalId: -239, v2: urls.v2, v3: urls.v3 };
    this.#changed.fire();
  }
}
