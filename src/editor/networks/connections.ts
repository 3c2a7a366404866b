import type { Access } from '../../toolkit/access/createAccess';
import type { Network } from '../../toolkit/access/network';
import type { Log } from '../../toolkit/log';
import type { LocalNetwork } from '../localnet/localNetwork';
import type { ApiKeys } from './apiKeys';
import type { Networks } from './networks';

/**
 * The one way to a network: an access client per network, so that everything in the window shares its rate limit.
 * Asking for the local network starts it.
 */
export class Connections {
  readonly #networks: Networks;
  readonly #apiKeys: ApiKeys;
  readonly #localNetwork: LocalNetwork;
  readonly #log: Log;
  readonly #clients = new Map<string, Access>();

  constructor(networks: Networks, apiKeys: ApiKeys, localNetwork: LocalNetwork, log: Log) {
    this.#networks = networks;
    this.#apiKeys = apiKeys;
    this.#localNetwork = localNetwork;
    this.#log = log;
  }

  /** A client of the network this workspace has chosen; starts the local network if that is the one. */
  async current(signal?: AbortSignal): Promise<Access> {
    if (this.#networks.current().kind === 'local') {
      await this.#localNetwork.ensureRunning(signal);
    }
    return this.to(this.#networks.current());
  }

  /** A client of any network; it keeps its limiter for as long as its URLs stay. */
  async to(network: Network): Promise<Access> {
    const key = JSON.stringify([network.name, network.v2, network.v3]);
    const known = this.#clients.get(key);
    if (known !== undefined) {
      return known;
    }
    const { createAccess } = await import('../../toolkit/access/createAccess');
    const client = createAccess({
      network,
      apiKey: (origin) => this.#apiKeys.get(origin),
      log: this.#log.area(network.name),
    });
    this.#clients.set(key, client);
    return client;
  }
}
