import type { ExternalMessage } from '../send/externalMessage';
import type { PreparedSend } from '../send/preparedSend';
import type { LocalAccount } from '../accounts/localAccount';
import type { SigningState } from '../localnet/control/controlApi';
import { WorkbenchError } from '../base/errors';

/** What became of a message. */
export type WalletSendOutcome =
  | { state: 'sent'; hash: string }
  /** `unknown`: it may still be executed. */
  | { state: 'failed' | 'unknown'; error: WorkbenchError };

/** What must be known about an item before its message can be made. Addresses are raw. */
export type ItemQuestion =
  { type: 'jetton'; master: string; owner: string } | { type: 'nft'; address: string };

/** The answer of the network, or why there is none, as the end of a sentence. */
export type ItemFacts =
  | { type: 'jetton'; wallet: string; balance: string }
  | { type: 'nft'; owner: string }
  | { type: 'problem'; words: string };

/** How a signed message is submitted by somebody else than its signer. */
export interface RelayOrder {
  /** The signer's raw address. */
  wallet: string;
  /** The internal message, BoC in base64. */
  message: string;
  times: number;
  /** Unix seconds of the network's clock to which it is moved ahead before; undefined to leave it. */
  after?: number | undefined;
}

/** What became of a submitted message. */
export interface RelayOutcome {
  /** Hash of its first transaction, lowercase hex; undefined until it is in a block. */
  trace?: string | undefined;
  /** Whether the wallet accepted it; undefined until it is known. */
  accepted?: boolean | undefined;
  /** As the end of a sentence: `refused: exit code 136 (…)`. */
  words: string;
}

/** The local network of a wallet. There is none for any other network: workflows/openWalletNetwork refuses to make one. */
export interface WalletNetwork {
  readonly name: string;
  /** The network's global id, as the protocol writes it: `-239`. */
  readonly chain: string;
  readonly accounts: readonly LocalAccount[];
  signingState(address: string, signal?: AbortSignal): Promise<SigningState>;
  /**
   * Runs the message of a request without sending it; an impossible rehearsal is a result. Undefined if the result stays
   * in another thread, which knows it by the request's number.
   */
  rehearse(
    message: ExternalMessage,
    signal: AbortSignal,
    request: number,
  ): Promise<PreparedSend | WorkbenchError | undefined>;
  /**
   * Runs a signed internal message as a relayer would submit it, without sending it; otherwise as `rehearse`.
   * @param message BoC in base64
   */
  rehearseRelay(
    wallet: string,
    message: string,
    signal: AbortSignal,
    request: number,
  ): Promise<PreparedSend | WorkbenchError | undefined>;
  /**
   * Submits a signed internal message, paid by another account of the network.
   * @returns what became of each submission, in order
   */
  relay(order: RelayOrder, signal: AbortSignal): Promise<readonly RelayOutcome[]>;
  /** Asks contracts what items need to be known. Answers each question, in order, and in bounded time. */
  lookUp(questions: readonly ItemQuestion[], signal?: AbortSignal): Promise<readonly ItemFacts[]>;
  /** Sends the message at most once, or the same message again. */
  send(message: ExternalMessage, signal: AbortSignal): Promise<WalletSendOutcome>;
}

/** @throws WorkbenchError `wallet-account-unknown` (input) */
export function accountNamed(
  { name: network, accounts }: Pick<WalletNetwork, 'name' | 'accounts'>,
  name: string,
): LocalAccount {
  const found = accounts.find((account) => account.name === name);
  if (found === undefined) {
    throw new WorkbenchError({
      code: 'wallet-account-unknown',
      kind: 'input',
      message: `${network} has no wallet called ${JSON.stringify(name)}.`,
      hint: `Its wallets: ${accounts.map((account) => account.name).join(', ')}.`,
    });
  }
  return found;
}
