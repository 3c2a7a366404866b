import type * as vscode from 'vscode';
import type { Access } from '../../toolkit/access/createAccess';
import type { Network } from '../../toolkit/access/network';
import type { NetworkVersions } from '../../toolkit/access/networkVersions';
import type { AccessClients } from './accessClients';
import type { LocalNetwork } from './localNetwork';
import type { Networks } from './networks';

/** All access to networks goes through here; opening the local one starts it. */
export class Connections {
  readonly #networks: Networks;
  readonly #clients: AccessClients;
  readonly #localNetwork: LocalNetwork;

  constructor(networks: Networks, clients: AccessClients, localNetwork: LocalNetwork) {
    this.#networks = networks;
    this.#clients = clients;
    this.#localNetwork = localNetwork;
  }

  /** Fires when a network's versions, or whether it can be reached, become known. */
  get onDidLearn(): vscode.Event<void> {
    return this.#clients.onDidLearn;
  }

  /** A client of the workspace's network; starts the local one if needed. */
  current(signal?: AbortSignal): Promise<Access> {
    return this.open(this.#networks.current(), signal);
  }

  /** A client of a network; starts the local one if needed. */
  async open(network: Network, signal?: AbortSignal): Promise<Access> {
    if (network.kind !== 'local') {
      return this.to(network);
    }
    await this.#localNetwork.ensureRunning(signal);
    // Its URLs are known only after the start.
    return this.to(this.#networks.local());
  }

  /** A client of a network, without starting it; the same object for as long as the URLs are unchanged. */
  to(network: Network): Promise<Access> {
    return this.#clients.to(network);
  }

  /** Whether the last request to the network did not arrive. */
  isUnreachable(network: Network): boolean {
    return this.#clients.isUnreachable(network);
  }

  /** The service's versions, if this window has already used the network. */
  versions(network: Network): NetworkVersions | undefined {
    return this.#clients.versions(network);
  }
}
