import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import type { Access } from '../../toolkit/access/createAccess';
import type { PaceWait } from '../../toolkit/access/exchange';
import type { Limiter } from '../../toolkit/access/limiter';
import type { Network } from '../../toolkit/access/network';
import { networkKey, publicPace } from '../../toolkit/access/network';
import type { NetworkVersions } from '../../toolkit/access/networkVersions';
import type { V3AddressBook } from '../../toolkit/api/v3Objects';
import type { Log } from '../../toolkit/base/log';
import { reportProgress } from '../ui/withProgress';
import type { ApiKeys } from './apiKeys';
import { windowClient } from './apiKeys';

const mebibyte = 1024 * 1024;

/**
 * One access client per network, and one rate limit per host for the whole window. The first use of a network also
 * fetches its versions.
 */
export class AccessClients {
  readonly #apiKeys: ApiKeys;
  readonly #log: Log;
  readonly #clients = new Map<string, Access>();
  readonly #versions = new Map<string, NetworkVersions>();
  readonly #unreachable = new Set<string>();
  readonly #learned = new vscode.EventEmitter<void>();
  /** Fires when a network's versions, or whether it can be reached, become known. */
  readonly onDidLearn = this.#learned.event;
  #limiter: Limiter | undefined;
  /** Called with the address book of each answer. */
  onBook: ((network: string, book: V3AddressBook) => void) | undefined;

  constructor(apiKeys: ApiKeys, log: Log) {
    this.#apiKeys = apiKeys;
    this.#log = log;
  }

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      this.#learned,
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('tonWorkbench')) {
          // Clients read rate and cap when they are created; the limiter remembers what it has granted.
          this.#clients.clear();
        }
      }),
    );
  }

  /** A client of any network; the same object for as long as its URLs are unchanged. */
  async to(network: Network): Promise<Access> {
    const key = networkKey(network);
    const known = this.#clients.get(key);
    if (known !== undefined) {
      return known;
    }
    const [{ createAccess }, { createLimiter }] = await Promise.all([
      import('../../toolkit/access/createAccess'),
      import('../../toolkit/access/limiter'),
    ]);
    this.#limiter ??= createLimiter();
    const client = createAccess({
      network,
      limiter: this.#limiter,
      apiKey: (origin) => this.#apiKeys.get(origin),
      log: this.#log.area(network.name),
      maximumBytes: readSetting(vscode.workspace, 'tonWorkbench.maximumResponseSize') * mebibyte,
      requestsPerSecond: (hasKey, origin) => this.#pace(network, hasKey, origin),
      onWait: tellPace,
      onReach: (isReached) => this.#learnReach(key, isReached),
      onBook: (book) => this.onBook?.(network.name, book),
      ...(network.kind === 'local' ? { client: windowClient } : {}),
    });
    this.#clients.set(key, client);
    this.#learnVersions(key, client);
    return client;
  }

  /** The service's versions, if this window has already used the network. */
  versions(network: Network): NetworkVersions | undefined {
    return this.#versions.get(networkKey(network));
  }

  /** Whether the last request to the network did not arrive. */
  isUnreachable(network: Network): boolean {
    return this.#unreachable.has(networkKey(network));
  }

  #learnReach(key: string, isReached: boolean): void {
    if (isReached === this.#unreachable.has(key)) {
      this.#unreachable[isReached ? 'delete' : 'add'](key);
      this.#learned.fire();
    }
  }

  /**
   * By host, not by network name: TON Center's limits (1 per second without a key, configurable with one); other
   * hosts are unlimited unless their entry sets a rate.
   */
  #pace(network: Network, hasKey: boolean, origin: string): number | undefined {
    if (network.kind === 'local') {
      return undefined;
    }
    const own = readSetting(vscode.workspace, 'tonWorkbench.networks').find(
      ({ name }) => name === network.name,
    )?.requestsPerSecond;
    const keyed = readSetting(vscode.workspace, 'tonWorkbench.requestsPerSecondWithKey');
    return publicPace(origin, hasKey, own ?? keyed) ?? own;
  }

  #learnVersions(key: string, client: Access): void {
    if (this.#versions.has(key)) {
      return;
    }
    import('../../toolkit/access/networkVersions')
      .then(({ networkVersions }) => networkVersions(client, { priority: 'background' }))
      .then((versions) => {
        this.#versions.set(key, versions);
        this.#learned.fire();
      })
      .catch((error: unknown) => this.#log.debug(`versions of ${client.network.name}: ${String(error)}`));
  }
}

/** Explains in the caller's progress notification why it takes so long. */
function tellPace({ origin, hasKey, requestsPerSecond }: PaceWait): void {
  const { host } = new URL(origin);
  const key = hasKey ? 'with this API key' : 'without an API key';
  reportProgress(
    requestsPerSecond === undefined
      ? `${host} asked to slow down`
      : `${host} allows ${requestsPerSecond === 1 ? '1 request' : `${requestsPerSecond} requests`} per second ${key}`,
  );
}
