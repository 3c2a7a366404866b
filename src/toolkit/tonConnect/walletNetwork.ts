import type { ExternalMessage } from '../send/externalMessage';
import type { PreparedSend } from '../send/preparedSend';
import type { LocalAccount } from '../accounts/localAccount';
import type { SigningState } from '../localnet/control/controlApi';
import type { WorkbenchError } from '../base/errors';

/** What became of a message. */
export type WalletSendOutcome =
  | { state: 'sent'; hash: string }
  /** `unknown`: it may still be executed. */
  | { state: 'failed' | 'unknown'; error: WorkbenchError };

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
  /** Sends the message at most once, or the same message again. */
  send(message: ExternalMessage, signal: AbortSignal): Promise<WalletSendOutcome>;
}
