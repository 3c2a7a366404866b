import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import type { Network } from '../../toolkit/access/network';
import { toWorkbenchError } from '../../toolkit/base/errors';
import type { Log, Redactor } from '../../toolkit/base/log';
import { systemClock } from '../../toolkit/base/time';
import { connectionSecrets } from '../../toolkit/tonConnect/connectionSecrets';
import type { ConnectedWallet, DAppConnection } from '../../toolkit/tonConnect/dAppConnection';
import type { ServedManifest } from '../../toolkit/tonConnect/serveManifest';

/** Key of the wallets that were connected, by network: names and addresses, no secrets. */
const walletsKey = 'connectedWallets';

/** A connected wallet, as it is shown. */
export type KnownWallet = Pick<ConnectedWallet, 'name' | 'address'>;

/**
 * The connections to the user's own wallets over TON Connect, one a network. A session's secret is in SecretStorage only;
 * this window never has the key of a wallet.
 */
export class WalletConnections implements vscode.Disposable {
  readonly #open = new Map<string, Promise<DAppConnection>>();
  #manifest: Promise<ServedManifest> | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: Log,
    private readonly redactor: Redactor,
  ) {}

  /** The wallet that is connected on a network; undefined if none is. */
  known(network: string): KnownWallet | undefined {
    return knownWallet(this.context, network);
  }

  /** The connection of a network: the kept one, or one without a wallet. */
  async to(network: Network): Promise<DAppConnection> {
    const known = this.#open.get(network.name);
    const opening = known ?? this.#start(network);
    this.#open.set(network.name, opening);
    try {
      return await opening;
    } catch (error) {
      this.#open.delete(network.name);
      throw error;
    }
  }

  /** Keeps which wallet a connection has. */
  async note(network: string, wallet: KnownWallet | undefined): Promise<void> {
    const { workspaceState } = this.context;
    const { [network]: _, ...others } = workspaceState.get<Record<string, KnownWallet>>(walletsKey, {});
    const { name, address } = wallet ?? {};
    await workspaceState.update(
      walletsKey,
      name === undefined ? others : { ...others, [network]: { name, address } },
    );
  }

  /** Ends the connection in the wallet, too, and forgets it. */
  async disconnect(network: Network): Promise<void> {
    const connection = await this.to(network);
    await connection.disconnect();
    this.#open.delete(network.name);
    await this.note(network.name, undefined);
  }

  dispose(): void {
    this.#open.forEach(
      (opening) => void opening.then((connection) => connection.close()).catch(() => undefined),
    );
    void this.#manifest?.then((served) => served.close()).catch(() => undefined);
  }

  async #start({ name: network }: Network): Promise<DAppConnection> {
    const [{ DAppConnection: Connection }, { serveManifest }] = await Promise.all([
      import('../../toolkit/tonConnect/dAppConnection'),
      import('../../toolkit/tonConnect/serveManifest'),
    ]);
    const { secrets } = this.context;
    // A connection belongs to the project that has made it.
    const key = `tonConnect:${vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? ''}:${network}`;
    const text = (setting: 'tonConnect.manifest' | 'tonConnect.walletsList'): string | undefined =>
      readSetting(vscode.workspace, `tonWorkbench.${setting}`) || undefined;
    return Connection.open({
      store: {
        read: async () => this.#read(await secrets.get(key)),
        write: async (values) => {
          connectionSecrets(values).forEach((secret) => this.redactor.add(secret));
          try {
            await (Object.keys(values).length === 0
              ? secrets.delete(key)
              : secrets.store(key, JSON.stringify(values)));
          } catch (error) {
            const { message } = toWorkbenchError(error);
            this.log.warn(
              `the connection to the wallet could not be kept, and ends with this window: ${message}`,
            );
          }
        },
      },
      manifest: {
        local: async () => (await (this.#manifest ??= serveManifest())).url,
        public: text('tonConnect.manifest'),
      },
      walletsList: text('tonConnect.walletsList'),
      clock: systemClock,
    });
  }

  #read(kept: string | undefined): Record<string, string> {
    const values = kept === undefined ? {} : (JSON.parse(kept) as Record<string, string>);
    connectionSecrets(values).forEach((secret) => this.redactor.add(secret));
    return values;
  }
}

/** The wallet that was last connected on a network; undefined if none is. */
export function knownWallet(context: vscode.ExtensionContext, network: string): KnownWallet | undefined {
  const known = context.workspaceState.get<Record<string, KnownWallet>>(walletsKey, {});
  return Object.hasOwn(known, network) ? known[network] : undefined;
}
