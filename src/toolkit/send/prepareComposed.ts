import type { Address, Cell } from '@ton/core';
import type { Access } from '../access/createAccess';
import { createAccountSource } from '../accounts/createAccountSource';
import type { LocalAccount } from '../accounts/localAccount';
import { readDestination } from './preparedSend';
import type { ExternalMessage } from './externalMessage';
import type { SendableMessage } from './sendableMessage';
import { internalMessage } from './sendableMessage';
import { composeLocalOnlyError } from './composeLineError';
import { internalCell, signOrders } from './signOrders';

/**
 * Turns a composed message into one that can be rehearsed and sent: signed with the wallet's current seqno,
 * or sent in the name of a contract.
 *
 * @param wallets the wallets of the local network
 * @throws WorkbenchError `compose-local-only` (input), `wallet-not-usable` (input), and the access layer's
 * errors
 */
export async function prepareComposed(
  access: Access,
  message: ComposedMessage,
  wallets: readonly LocalAccount[],
  signal?: AbortSignal,
): Promise<SendableMessage> {
  if (access.network.kind !== 'local') {
    throw composeLocalOnlyError(access.network.name);
  }
  const { sender, to, value, bounce, body, init } = message;
  if (sender.kind === 'contract') {
    return internalMessage({ source: sender.address, destination: to, value, bounce, body, init });
  }
  const wallet = wallets.find(({ name }) => name === sender.name);
  if (wallet === undefined) {
    throw new Error(`no wallet is called ${sender.name}`);
  }
  const source = await createAccountSource({ access, signal });
  const { shardAccount } = await source.account(wallet.address, signal);
  return signComposed(message, wallet, shardAccount);
}

/**
 * The external message with which a wallet of the local network sends a composed message.
 *
 * @param shardAccount the wallet's current state: a ShardAccount, BoC in base64
 * @throws WorkbenchError `wallet-not-usable` (input) if the account is not the wallet that the key belongs to
 */
export function signComposed(
  { to, value, bounce, body, init }: ComposedMessage,
  wallet: LocalAccount,
  shardAccount: string,
): ExternalMessage {
  return signOrders(
    [internalCell({ to, value, bounce, body, init: init ?? null })],
    wallet,
    readDestination(shardAccount),
  );
}

/**
 * The sender: a wallet of the local network, by name, or any contract, in whose name the local network sends.
 */
type ComposedSender = { kind: 'wallet'; name: string } | { kind: 'contract'; address: Address };

/** An internal message as composed, not signed yet. */
export interface ComposedMessage {
  sender: ComposedSender;
  to: Address;
  /** Nanocoins. */
  value: bigint;
  /** Whether a failing contract returns the remaining value. */
  bounce: boolean;
  body: Cell;
  /** The receiver's message struct named in the line. */
  messageName?: string;
  /** Code and data for a contract that this message deploys. */
  init: { code: Cell; data: Cell } | undefined;
}
