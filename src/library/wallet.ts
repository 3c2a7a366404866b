import { version } from '../../package.json';
import { createSandboxEmulator } from '../toolkit/execution/emulator/createSandboxEmulator';
import type { Emulator } from '../toolkit/execution/emulator/emulator';
import { Redactor, createLog } from '../toolkit/base/log';
import { startTestWallet } from '../toolkit/tonConnect/startTestWallet';
import { signedMessageOf } from '../toolkit/tonConnect/walletBook';
import { requestWords } from '../toolkit/tonConnect/requestWords';
import { checkDecision } from '../toolkit/tonConnect/walletScript';
import { openWalletNetwork } from '../toolkit/workflows/openWalletNetwork';
import type { Access } from './access';
import { toolkitAccess } from './toolkitAccess';

/**
 * What becomes of a request. `approve-lose-answer` carries it out and never answers; `answer-late` answers after `seconds`
 * (default 10); `answer-twice` answers two times; `wrong-network` behaves as a wallet on another network; `connect-only` connects,
 * and declines the request in the link.
 */
export type WalletDecision =
  | 'approve'
  | 'reject'
  | 'approve-lose-answer'
  | 'answer-twice'
  | 'wrong-network'
  | 'connect-only'
  | 'answer-late'
  | { readonly decision: 'answer-late'; readonly seconds: number };

/** A request of a dApp. */
export interface WalletRequest {
  /** 1, 2, 3 … */
  readonly number: number;
  readonly method: 'connect' | 'sendTransaction' | 'signMessage' | 'signData';
  /** What it asks for, in one line: `pay bob 0.25 TON`. */
  readonly asks: string;
  /** The host that signatures are bound to. */
  readonly domain: string;
  /** Whether a payment would be accepted now; undefined for other requests, and if that could not be told. */
  readonly accepted: boolean | undefined;
}

/** What a request was answered. */
export interface WalletAnswer {
  readonly number: number;
  /** The request's method, or one that was refused. */
  readonly method: string;
  /** False if the answer was lost on purpose. */
  readonly answered: boolean;
  /** The protocol's error, if it was refused. */
  readonly error: { readonly code: number; readonly message: string } | undefined;
  /** Normalized hash of the message that was sent, lowercase hex. */
  readonly hash: string | undefined;
  /** Of an approved `signMessage`: the signed internal message, BoC in base64. */
  readonly internalBoc: string | undefined;
}

/** Takes something away from the wallet; docs/wallet.md has a table. */
export type WalletFeatureWord =
  | 'all'
  | 'v2'
  | 'no-sign-message'
  | 'no-sign-data'
  | 'no-items'
  | 'no-embedded'
  | 'no-extra-currencies'
  | '4-messages';

/** What became of a signed message that was submitted. */
export interface RelayOutcome {
  /** Hash of the transaction, lowercase hex; undefined until it is in a block. */
  readonly trace?: string | undefined;
  /** Whether the wallet accepted it; undefined until it is known. */
  readonly accepted?: boolean | undefined;
  readonly words: string;
}

/** How a test wallet decides, and where it is. */
export interface WalletOptions {
  /** Name of the account that dApps get; default: the network's first. */
  readonly account?: string | undefined;
  /** Decides each request; default: approves all. */
  readonly decide?: ((request: WalletRequest) => WalletDecision | Promise<WalletDecision>) | undefined;
  /** Called with each answer. */
  readonly onAnswer?: ((answer: WalletAnswer) => void) | undefined;
  /** What the wallet lacks, so that it is an older or a smaller one. */
  readonly features?: readonly WalletFeatureWord[] | undefined;
  /** Port to listen on; default 0: any free one. */
  readonly port?: number | undefined;
  /** Folder for connections and requests; default: they end with the wallet. */
  readonly stateDirectory?: string | undefined;
  /** Receives errors and warnings. */
  readonly log?: ((level: 'trace' | 'debug' | 'info' | 'warn' | 'error', line: string) => void) | undefined;
}

/** A running test wallet. */
export interface Wallet {
  /** Base URL of the HTTP bridge. */
  readonly bridge: string;
  /** What a dApp's link begins with: opening the link is the request to connect. */
  readonly universalLink: string;
  /** URL of a wallets list with this wallet alone. */
  readonly walletsList: string;
  /** URL of the script that injects the wallet into a page as `window.tonWorkbench`. */
  readonly inject: string;
  /** The wallet for `walletsListConfiguration.includeWallets` of @tonconnect/ui. */
  readonly entry: object;
  readonly port: number;
  /** Raw address of the account, lowercase hex. */
  readonly address: string;
  /**
   * Does with a signed message what a relayer would: submits it once or two times, or after it has expired.
   * @param request the number of an approved `signMessage`
   * @throws WorkbenchError `wallet-not-signed` (input)
   */
  relay(request: number, way?: 'submit' | 'submit-twice' | 'let-expire'): Promise<readonly RelayOutcome[]>;
  close(): Promise<void>;
}

/**
 * Starts a wallet for dApps under test (TON Connect) on 127.0.0.1, with the accounts of a local network. It refuses
 * every other network.
 *
 * @throws WorkbenchError `wallet-local-only`, `wallet-account-unknown`, `wallet-state-in-use`, `port-in-use` (input)
 * @example
 * ```ts
 * import { createAccess } from 'ton-workbench/access';
 * import { startLocalnet } from 'ton-workbench/localnet';
 * import { startWallet } from 'ton-workbench/wallet';
 *
 * const net = await startLocalnet({ port: 0 });
 * const wallet = await startWallet(createAccess({ network: net }), {
 *   account: 'bob',
 *   decide: ({ method }) => (method === 'sendTransaction' ? 'reject' : 'approve'),
 * });
 * console.log(`dApps connect over ${wallet.walletsList}`);
 * await wallet.close();
 * await net.close();
 * ```
 */
export async function startWallet(access: Access, options: WalletOptions = {}): Promise<Wallet> {
  const { decide = () => 'approve' as const, onAnswer, log: write = () => undefined } = options;
  const log = createLog(write, new Redactor());
  let emulator: Promise<Emulator> | undefined;
  const network = await openWalletNetwork(
    toolkitAccess(access),
    { get: () => (emulator ??= createSandboxEmulator()), dispose: () => (emulator = undefined) },
    log,
  );
  const running = await startTestWallet({
    ...{ network, approval: 'ask', version, log },
    account: options.account,
    features: options.features,
    port: options.port ?? 0,
    folder: options.stateDirectory,
  });
  const { wallet, bridge, universalLink, walletsList, inject, entry, port, address, nameOf } = running;
  wallet.onEvent((event) => {
    if (event.type === 'answer') {
      const { number, method, isAnswered, error, hash } = event.answer;
      const internalBoc = signedMessageOf(event.answer);
      onAnswer?.({ number, method, answered: isAnswered, error, hash, internalBoc });
    }
    if (event.type === 'request') {
      const { request, session, rehearsed } = event;
      const { number, method } = request;
      const accepted =
        rehearsed !== undefined && 'rehearsal' in rehearsed ? rehearsed.rehearsal.accepted : undefined;
      const asked = {
        number,
        method,
        asks: requestWords(request, nameOf),
        domain: session.dApp.domain,
        accepted,
      };
      void Promise.resolve()
        .then(() => decide(asked))
        .then((decision) => wallet.decide(number, checkDecision(decision)))
        .catch((error: unknown) => log.error(`request ${number} was not decided`, error));
    }
  });
  // Whatever an earlier run in the folder was told: here `decide` decides.
  wallet.sessions.forEach(({ id }) => wallet.setApproval(id, 'ask'));
  wallet.resume();
  return {
    ...{ bridge, universalLink, walletsList, inject, entry, port, address },
    relay: async (request, way = 'submit') => (await wallet.relay(request, way)).outcomes,
    close: () => running.close(),
  };
}
