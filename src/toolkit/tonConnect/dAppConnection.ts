import type { TonConnect, Wallet, WalletInfo } from '@tonconnect/sdk';
import { parseAddressInput } from '../address/parseAddressInput';
import { WorkbenchError, abortedError } from '../base/errors';
import { isLoopbackHost } from '../base/loopback';
import type { MessageRequest } from '../send/messageRequest';
import { initCell, mainChain, requestAddress } from '../send/messageRequest';
import type { Clock } from '../base/time';

/** Where a connection is kept: it holds the session's secret. */
export interface ConnectionStore {
  read(): Promise<Record<string, string>>;
  /** Tells a failure itself, and never rejects: the connection goes on without being kept. */
  write(values: Readonly<Record<string, string>>): Promise<void>;
}

/** A wallet that this program is connected to. */
export interface ConnectedWallet {
  /** As it calls itself. */
  name: string;
  /** Raw, lowercase. */
  address: string;
  /** The network's id: `-239` or `-3`, for example. */
  chain: string;
  /** Messages that one request may have; undefined if it does not say. */
  mostMessages: number | undefined;
}

export interface DAppConnectionOptions {
  store: ConnectionStore;
  /** The manifest that the wallet reads, for a wallet of this machine and for any other one. */
  manifest: { local: () => Promise<string>; public: string | undefined };
  /** A list of wallets instead of the SDK's own: a test wallet's. */
  walletsList?: string | undefined;
  clock: Clock;
}

/** The SDK wants one also where no wallet reads it. */
const unreadManifest = 'http://127.0.0.1/tonconnect-manifest.json';

/** Milliseconds for a stored connection to be told. */
const restorePatience = 1_000;

/** Names in the wallet's list are compared without case, blanks, and punctuation. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** This program as a dApp: the SDK over a store that outlives it. */
export class DAppConnection {
  readonly #options: DAppConnectionOptions;
  #sdk: TonConnect | undefined;
  #wallet: ConnectedWallet | undefined;
  /** Ends once the bridge has answered: only then can the SDK leave it. */
  #restoring: Promise<void> = Promise.resolve();

  private constructor(options: DAppConnectionOptions) {
    this.#options = options;
  }

  /** Opens a connection, and goes on with the one in the store, if there is one. */
  static async open(options: DAppConnectionOptions): Promise<DAppConnection> {
    const connection = new DAppConnection(options);
    const kept = await options.store.read();
    if (Object.keys(kept).length > 0) {
      // No wallet reads the manifest of a connection that it has.
      await connection.#start(unreadManifest, options.walletsList, kept);
      await connection.#restored();
    }
    return connection;
  }

  /** Undefined if no wallet is connected. */
  get wallet(): ConnectedWallet | undefined {
    return this.#wallet;
  }

  /**
   * Asks a wallet to connect.
   *
   * @param name the wallet's name in the list; without one, any wallet that takes `tc://` links
   * @returns the link that the wallet opens, and when it has
   * @throws WorkbenchError `wallet-not-connected` (input) for an unknown name, `manifest-unreachable` (input)
   */
  async connect(
    name: string | undefined,
    signal: AbortSignal,
  ): Promise<{ link: string; connected: Promise<ConnectedWallet> }> {
    const { TonConnect: Sdk } = await import('@tonconnect/sdk');
    const { walletsList } = this.#options;
    const list = await new Sdk({
      ...{ manifestUrl: unreadManifest, analytics: { mode: 'off' as const }, storage: memory({}) },
      ...(walletsList === undefined ? {} : { walletsListSource: walletsList }),
    })
      .getWallets()
      .catch((cause: unknown) => {
        throw notConnectedError('The list of wallets cannot be read.', 'Check the connection.', cause);
      });
    const wanted = chosenWallets(list, name);
    const isLocal = wanted.every(({ bridgeUrl }) => isLoopbackHost(new URL(bridgeUrl).host));
    const manifestUrl = isLocal ? await this.#options.manifest.local() : this.#options.manifest.public;
    if (manifestUrl === undefined) {
      throw manifestError();
    }
    await this.#end();
    const sdk = await this.#start(manifestUrl, walletsList, {});
    const [only] = wanted;
    const source =
      wanted.length === 1 && only !== undefined
        ? { bridgeUrl: only.bridgeUrl, universalLink: only.universalLink }
        : [...new Set(wanted.map(({ bridgeUrl }) => bridgeUrl))].map((bridgeUrl) => ({ bridgeUrl }));
    const connected = this.#connected(sdk, signal);
    // Nobody may wait for it any more.
    connected.catch(() => undefined);
    return { link: sdk.connect(source), connected };
  }

  /**
   * Sends one request to the wallet, once, and waits for its answer.
   *
   * @returns the external message that the wallet has sent, a BoC in base64
   * @throws WorkbenchError `wallet-declined`, `wallet-too-old`, `wallet-other-network`, `wallet-not-connected` (failed),
   *   `aborted`; `wallet-silent` if the answer says nothing of whether it was sent
   */
  async hand(requests: readonly MessageRequest[], signal: AbortSignal): Promise<string> {
    this.check(requests);
    const wallet = this.#wallet!;
    const sdk = this.#sdk!;
    const validUntil = Math.min(...requests.map((one) => one.validUntil));
    const messages = requests.map((request) => {
      const init = initCell(request);
      const { body, value } = request;
      return {
        address: requestAddress(request),
        amount: value.toString(),
        ...(body.bits.length + body.refs.length === 0 ? {} : { payload: body.toBoc().toString('base64') }),
        ...(init === undefined ? {} : { stateInit: init.toBoc().toString('base64') }),
      };
    });
    try {
      const { boc } = await sdk.sendTransaction(
        { validUntil, messages, from: wallet.address, network: wallet.chain },
        { signal },
      );
      return boc;
    } catch (error) {
      if (await isForgotten(error)) {
        // Kept, it would only fail again.
        await this.disconnect();
      }
      throw await toSigningError(error, wallet.name, signal);
    }
  }

  /**
   * Refuses what this wallet cannot be asked for.
   * @throws WorkbenchError `wallet-not-connected`, `wallet-other-network`, `wallet-too-old` (input)
   */
  check(requests: readonly MessageRequest[]): void {
    const wallet = this.#wallet;
    if (wallet === undefined || this.#sdk === undefined) {
      throw notConnectedError('No wallet is connected.', 'Connect one first.');
    }
    const other = requests.find(({ chain }) => chain !== wallet.chain);
    if (other !== undefined) {
      throw new WorkbenchError({
        code: 'wallet-other-network',
        kind: 'input',
        message: `${wallet.name} is on another network (${chainWords(wallet.chain)}) than ${other.network} (${chainWords(other.chain)}).`,
        hint: 'Switch the network in the wallet, then connect it again. Nothing was handed over.',
      });
    }
    const { mostMessages = Infinity } = wallet;
    if (requests.length > mostMessages) {
      throw new WorkbenchError({
        code: 'wallet-too-old',
        kind: 'input',
        message: `${wallet.name} signs at most ${mostMessages} messages at once, and these are ${requests.length}.`,
        hint: 'Send them in smaller groups, or use a wallet of a newer version. Nothing was handed over.',
      });
    }
  }

  /** Ends the connection in the wallet, too, and forgets it. */
  async disconnect(): Promise<void> {
    await this.#sdk?.disconnect().catch(() => undefined);
    await this.#end();
    await this.#options.store.write({});
  }

  /** Leaves the stream; the connection stays in the store. */
  close(): void {
    const sdk = this.#sdk;
    sdk?.pauseConnection();
    // What was under way would open the stream after all.
    void this.#restoring.then(() => sdk?.pauseConnection());
    this.#sdk = undefined;
  }

  async #start(
    manifestUrl: string,
    walletsList: string | undefined,
    values: Record<string, string>,
  ): Promise<TonConnect> {
    const { TonConnect: Sdk } = await import('@tonconnect/sdk');
    const sdk = new Sdk({
      manifestUrl,
      ...(walletsList === undefined ? {} : { walletsListSource: walletsList }),
      analytics: { mode: 'off' },
      disableAutoPauseConnection: true,
      storage: memory(values, (all) => this.#options.store.write(all)),
    });
    sdk.onStatusChange(
      (wallet) => (this.#wallet = wallet === null ? undefined : walletOf(wallet)),
      () => undefined,
    );
    this.#sdk = sdk;
    return sdk;
  }

  /** A bridge that does not answer is no reason to wait: the wallet is known from the store. */
  async #restored(): Promise<void> {
    let cancel: () => void = () => undefined;
    this.#restoring = this.#sdk?.restoreConnection().catch(() => undefined) ?? Promise.resolve();
    await Promise.race([
      this.#restoring,
      new Promise<void>((resolve) => void this.#sdk?.onStatusChange((wallet) => wallet && resolve())),
      new Promise<void>((resolve) => (cancel = this.#options.clock.after(restorePatience, resolve))),
    ]);
    cancel();
  }

  #connected(sdk: TonConnect, signal: AbortSignal): Promise<ConnectedWallet> {
    return new Promise((resolve, reject) => {
      sdk.onStatusChange(
        (wallet) => wallet !== null && resolve(walletOf(wallet)),
        (error) => {
          reject(
            notConnectedError(
              `The wallet did not connect: ${error.message.replace(/^\[TON_CONNECT_SDK_ERROR\]\s*/, '').trim()}`,
              'Try again, or choose another wallet.',
              error,
            ),
          );
        },
      );
      signal.addEventListener('abort', () => reject(abortedError(signal.reason)), { once: true });
    });
  }

  async #end(): Promise<void> {
    this.close();
    this.#wallet = undefined;
    await Promise.resolve();
  }
}

/** The SDK's storage over values in memory, each change of which is kept. */
function memory(
  values: Record<string, string>,
  keep: (all: Record<string, string>) => Promise<void> = () => Promise.resolve(),
): {
  setItem(key: string, value: string): Promise<void>;
  getItem(key: string): Promise<string | null>;
  removeItem(key: string): Promise<void>;
} {
  const all = new Map(Object.entries(values));
  let keeping = Promise.resolve();
  const changed = (): Promise<void> => {
    const now = Object.fromEntries(all);
    keeping = keeping.then(() => keep(now));
    return keeping;
  };
  return {
    setItem: (key, value) => (all.set(key, value), changed()),
    getItem: (key) => Promise.resolve(all.get(key) ?? null),
    removeItem: (key) => (all.delete(key), changed()),
  };
}

function walletOf({ account, device }: Wallet): ConnectedWallet {
  const feature = device.features.find((one) => typeof one === 'object' && one.name === 'SendTransaction');
  const most = typeof feature === 'object' && 'maxMessages' in feature ? feature.maxMessages : undefined;
  return {
    name: device.appName,
    address: parseAddressInput(account.address).toRawString(),
    chain: account.chain,
    mostMessages: typeof most === 'number' ? most : undefined,
  };
}

type RemoteWallet = WalletInfo & { bridgeUrl: string; universalLink: string };

function chosenWallets(list: readonly WalletInfo[], name: string | undefined): RemoteWallet[] {
  const remote = list.filter((one): one is RemoteWallet => 'bridgeUrl' in one && 'universalLink' in one);
  if (name === undefined) {
    if (remote.length === 0) {
      throw notConnectedError('The list of wallets has none that can be connected from here.', '');
    }
    return remote;
  }
  const found = remote.find((one) => [one.name, one.appName].some((known) => plain(known) === plain(name)));
  if (found === undefined) {
    const known = remote.map((one) => one.name).join(', ');
    throw notConnectedError(`No wallet is called ${JSON.stringify(name)}.`, `These are: ${known}.`);
  }
  return [found];
}

/** The network of a wallet in words. */
function chainWords(chain: string): string {
  return chain === mainChain
    ? `the main network, ${mainChain}`
    : chain === '-3'
      ? 'the test network, -3'
      : chain;
}

/** Whether the wallet does not know the connection. */
async function isForgotten(error: unknown): Promise<boolean> {
  const { UnknownAppError, WalletNotConnectedError } = await import('@tonconnect/sdk');
  return error instanceof UnknownAppError || error instanceof WalletNotConnectedError;
}

async function toSigningError(error: unknown, name: string, signal: AbortSignal): Promise<WorkbenchError> {
  if (signal.aborted) {
    return abortedError(signal.reason);
  }
  const sdk = await import('@tonconnect/sdk');
  const message = error instanceof Error ? error.message : String(error);
  const words =
    message
      .replace(/^\[TON_CONNECT_SDK_ERROR\]\s*/, '')
      .split('\n')
      .at(-1)
      ?.trim() ?? '';
  if (error instanceof sdk.UserRejectsError) {
    return signingError('wallet-declined', `${name} declined the request.`, 'Nothing was sent.');
  }
  if (error instanceof sdk.BadRequestError) {
    return signingError('wallet-declined', `${name} refused the request: ${words}`, 'Nothing was sent.');
  }
  if (error instanceof sdk.WalletNotSupportFeatureError) {
    return signingError(
      'wallet-declined',
      `${name} cannot sign such a request: ${words}`,
      'Use a wallet of a newer version, or a link. Nothing was sent.',
    );
  }
  if (await isForgotten(error)) {
    return signingError(
      'wallet-declined',
      `${name} does not know this connection any more, so it was forgotten here, too.`,
      'Nothing was sent. Do it again: the wallet is asked to connect.',
    );
  }
  return new WorkbenchError({
    code: 'wallet-silent',
    kind: 'network',
    message: `${name} gave no usable answer: ${words}`,
    hint: 'The message may have been sent all the same: it is looked for on the chain.',
    cause: error,
  });
}

function signingError(code: 'wallet-declined', message: string, hint: string): WorkbenchError {
  return new WorkbenchError({ code, kind: 'failed', message, hint });
}

function notConnectedError(message: string, hint: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({ code: 'wallet-not-connected', kind: 'input', message, hint, cause });
}

function manifestError(): WorkbenchError {
  return new WorkbenchError({
    code: 'manifest-unreachable',
    kind: 'input',
    message: 'This wallet is not on this machine, so it cannot read a manifest that is served here.',
    hint: 'Publish one, and name its URL: --manifest, or the setting tonWorkbench.tonConnect.manifest. Or use a link, which needs none. A test wallet on this machine is named by the URL of its list: --wallet, or the setting tonWorkbench.tonConnect.walletsList.',
  });
}
