import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WorkbenchError, abortedError } from '../base/errors';
import type { LocalAccount } from '../accounts/localAccount';
import type { SigningState } from '../localnet/control/controlApi';
import type { Log } from '../base/log';
import { silentLog } from '../base/log';
import type { ExternalMessage } from '../send/externalMessage';
import type { PlainError, RemoteCall, RemoteCalls, RemoteResult } from '../base/serviceThread';
import type { Clock } from '../base/time';
import { systemClock } from '../base/time';
import type { ConnectLink } from './connectLink';
import type { WalletAddresses } from './injectedScript';
import { includedWallet, walletAddresses } from './injectedScript';
import type { Approval, RelayWay, WalletVerdict } from './protocol';
import { TestWallet } from './testWallet';
import type { DecidedRequest, RelayRecord, WalletAnswer, WalletRequest, WalletSession } from './walletBook';
import type { FeatureWord } from './walletFeatures';
import { WalletJournal } from './walletJournal';
import type { ItemFacts, ItemQuestion, RelayOrder, RelayOutcome, WalletNetwork } from './walletNetwork';
import { startWalletServer } from './walletServer';

export interface StartTestWalletOptions {
  network: WalletNetwork;
  /** The account that dApps are connected to; by default the first. */
  account?: string | undefined;
  /** Of dApps that connect from now on; those of an earlier run keep theirs. */
  approval: Approval;
  script?: readonly WalletVerdict[] | undefined;
  /** What the wallet lacks, for dApps that connect from now on. */
  features?: readonly FeatureWord[] | undefined;
  /** 0 picks a free one. */
  port: number;
  /** Folder for the connections and requests; by default they end with the wallet. */
  folder?: string | undefined;
  /** The folder's lock was left by a thread of this process that has crashed. */
  afterCrash?: boolean | undefined;
  /** Of this program. */
  version: string;
  clock?: Clock | undefined;
  log?: Log | undefined;
}

/** A wallet that answers on this machine. */
export interface RunningTestWallet extends WalletAddresses {
  readonly wallet: TestWallet;
  readonly port: number;
  /** The account that dApps are connected to: its name, and its raw address. */
  readonly account: string;
  readonly address: string;
  /** The wallet for `walletsListConfiguration.includeWallets` of @tonconnect/ui. */
  readonly entry: object;
  /** The accounts that it may be. */
  readonly accounts: readonly Pick<LocalAccount, 'name' | 'kind'>[];
  /** The name of an account of the network. */
  nameOf: (address: string) => string | undefined;
  close(): Promise<void>;
}

/**
 * Starts a test wallet. What an earlier run has left in its folder goes on once `wallet.resume` is called: after the
 * listeners are there.
 * @throws WorkbenchError `wallet-account-unknown`, `wallet-state-in-use`, `wallet-state-unusable`, `port-in-use`,
 *   `port-not-allowed`, `listen-failed` (input)
 */
export async function startTestWallet(options: StartTestWalletOptions): Promise<RunningTestWallet> {
  const { network, folder, afterCrash, port, version, clock = systemClock, log = silentLog } = options;
  const temporary =
    folder === undefined ? await mkdtemp(path.join(tmpdir(), 'ton-workbench-wallet-')) : undefined;
  const removeTemporary = async (): Promise<void> => {
    if (temporary !== undefined) {
      await rm(temporary, { recursive: true, force: true });
    }
  };
  let journal: WalletJournal | undefined;
  try {
    journal = await WalletJournal.open(path.resolve(folder ?? temporary ?? '.'), log, { clock, afterCrash });
    const account = options.account ?? network.accounts[0]?.name ?? '';
    const wallet = new TestWallet({ ...options, journal, account, clock, log });
    const current = (): LocalAccount | undefined =>
      network.accounts.find(({ name }) => name === wallet.account);
    const server = await startWalletServer({ wallet, version, clock, port });
    journal.announce(server.port);
    return {
      wallet,
      port: server.port,
      accounts: network.accounts,
      get entry() {
        return includedWallet(server.port, wallet.features);
      },
      get account() {
        return wallet.account;
      },
      get address() {
        return current()?.address ?? '';
      },
      nameOf: (address) => network.accounts.find((one) => one.address === address)?.name,
      ...walletAddresses(server.port),
      close: async () => {
        await server.close();
        await wallet.close();
        await removeTemporary();
      },
    };
  } catch (error) {
    await journal?.close();
    await removeTemporary();
    throw error;
  }
}

/** What does not change about a wallet's network. */
type WalletNetworkFacts = Pick<WalletNetwork, 'name' | 'chain' | 'accounts'>;

/** What the worker is started with. */
export interface WalletWorkerStart extends Omit<
  StartTestWalletOptions,
  'network' | 'script' | 'clock' | 'log'
> {
  network: WalletNetworkFacts;
}

/** What the starting thread does for the worker, since it has the access and the emulator. Messages are BoCs, base64. */
export interface WalletHelper {
  signingState(address: string): Promise<SigningState>;
  /** Keeps the result for the event of that request. */
  rehearse(request: number, message: string): Promise<void>;
  /** As `rehearse`, of a signed internal message. */
  rehearseRelay(request: number, wallet: string, message: string): Promise<void>;
  relay(order: RelayOrder): Promise<readonly RelayOutcome[]>;
  lookUp(questions: readonly ItemQuestion[]): Promise<readonly ItemFacts[]>;
  send(
    message: string,
  ): Promise<{ state: 'sent'; hash: string } | { state: 'failed' | 'unknown'; error: PlainError }>;
}

/** What the starting thread asks of the worker. */
export interface WalletControl {
  /** Goes on with what an earlier run has left, once its events are heard. */
  resume(): void;
  connect(link: ConnectLink): Promise<void>;
  decide(request: number, verdict: WalletVerdict): void;
  disconnect(session: string): void;
  /** Submits the signed message of an answered request. */
  relay(request: number, way: RelayWay): Promise<RelayRecord>;
  /** Of dApps that connect from now on: what the wallet lacks. */
  setFeatures(words: readonly FeatureWord[]): void;
  /** Of a dApp that is connected; without one, of those that connect from now on. */
  setApproval(approval: Approval, session?: string): void;
  setAccount(name: string): void;
  close(): Promise<void>;
}

/** A connection without its keys, which do not leave the worker. */
export type SessionFacts = Pick<
  WalletSession,
  'id' | 'kind' | 'account' | 'dApp' | 'since' | 'state' | 'approval' | 'wantedChain'
>;

/** A wallet at one moment. */
export interface WalletSnapshot {
  /** Of dApps that connect from now on. */
  account: string;
  approval: Approval;
  lacks: readonly FeatureWord[];
  /** The wallet for `walletsListConfiguration.includeWallets` of @tonconnect/ui. */
  entry: object;
  sessions: readonly SessionFacts[];
  /** Numbers of the requests that nobody has decided. */
  pending: readonly number[];
  /** Requests that are being carried out, or wait until they are answered. */
  decided: readonly DecidedRequest[];
}

/** What happens in the worker's wallet. */
export type WalletNotice =
  /** `problem`: why there is no rehearsal, if it was not the helper's to make. */
  | { type: 'request'; request: WalletRequest; session: SessionFacts; problem?: PlainError | undefined }
  | { type: 'answer'; answer: WalletAnswer }
  | { type: 'relay'; number: number; relay: RelayRecord };

/** What the worker tells once it is up. */
export interface WalletStarted {
  port: number;
  snapshot: WalletSnapshot;
}

/** The worker's own messages. Its calls are to the {@link WalletHelper}. */
export type WalletWorkerMessage =
  /** After each change, with what has made it if it was told. */
  { type: 'changed'; snapshot: WalletSnapshot; notice?: WalletNotice | undefined } | RemoteCall;

/** To the worker: calls are to the {@link WalletControl}. */
export type ToWalletWorker = RemoteCall | RemoteResult;

/**
 * The network of a wallet in a worker: the thread that started it does the work. The first signal that fires ends all
 * calls, because a wallet has one for its whole life.
 */
export function remoteWalletNetwork(
  facts: WalletNetworkFacts,
  helper: RemoteCalls<WalletHelper>,
): WalletNetwork {
  const watched = new WeakSet<AbortSignal>();
  const watch = (signal: AbortSignal | undefined): RemoteCalls<WalletHelper> => {
    if (signal !== undefined && !watched.has(signal)) {
      watched.add(signal);
      signal.addEventListener('abort', () => helper.end(abortedError(signal.reason)), { once: true });
    }
    return helper;
  };
  return {
    ...facts,
    signingState: (address, signal) => watch(signal).call('signingState', address),
    rehearse: async (message, signal, request) => {
      await watch(signal).call('rehearse', request, bocOf(message));
      return undefined;
    },
    rehearseRelay: async (wallet, message, signal, request) => {
      await watch(signal).call('rehearseRelay', request, wallet, message);
      return undefined;
    },
    relay: (order, signal) => watch(signal).call('relay', order),
    lookUp: (questions, signal) => watch(signal).call('lookUp', questions),
    send: async (message, signal) => {
      const outcome = await watch(signal).call('send', bocOf(message));
      return outcome.state === 'sent' ? outcome : { ...outcome, error: new WorkbenchError(outcome.error) };
    },
  };
}

function bocOf({ cell }: ExternalMessage): string {
  return cell.toBoc().toString('base64');
}
