import type { SigningState } from '../localnet/control/controlApi';
import type { PlainError } from '../threads/plainError';
import type { RemoteCall, RemoteResult } from '../threads/remoteCalls';
import type { ServiceMessage } from '../threads/serviceThread';
import type { ConnectLink } from './connectLink';
import type { Approval, WalletVerdict } from './protocol';
import type { StartTestWalletOptions } from './startTestWallet';
import type { WalletNetwork } from './walletNetwork';
import type { DecidedRequest, WalletAnswer, WalletRequest } from './walletRequest';
import type { WalletSession } from './walletSession';

/** What does not change about a wallet's network. */
export type WalletNetworkFacts = Pick<WalletNetwork, 'name' | 'chain' | 'accounts'>;

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
  /** Of a dApp that is connected; without one, of those that connect from now on. */
  setApproval(approval: Approval, session?: string): void;
  setAccount(name: string): void;
  close(): Promise<void>;
}

/** A connection without its keys, which do not leave the worker. */
export type SessionFacts = Pick<
  WalletSession,
  'id' | 'kind' | 'account' | 'dApp' | 'since' | 'state' | 'approval'
>;

/** A wallet at one moment. */
export interface WalletSnapshot {
  /** Of dApps that connect from now on. */
  account: string;
  approval: Approval;
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
  | { type: 'answer'; answer: WalletAnswer };

/** What the worker tells once it is up. */
export interface WalletStarted {
  port: number;
  snapshot: WalletSnapshot;
}

/** The worker's own messages. Its calls are to the {@link WalletHelper}. */
export type WalletWorkerMessage =
  /** After each change, with what has made it if it was told. */
  { type: 'changed'; snapshot: WalletSnapshot; notice?: WalletNotice | undefined } | RemoteCall;

/** From the worker. */
export type FromWalletWorker = ServiceMessage<WalletStarted> | WalletWorkerMessage;

/** To the worker: calls are to the {@link WalletControl}. */
export type ToWalletWorker = RemoteCall | RemoteResult;
