import { beginCell, internal, storeMessageRelaxed } from '@ton/core';
import type { LocalAccount } from '../localnet/accounts/localAccount';
import { readDestination } from '../send/destinationState';
import type { ExternalMessage } from '../send/externalMessage';
import type { ComposedMessage } from './composedMessage';
import { signOrders } from './signOrders';

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
  const order = beginCell()
    .store(storeMessageRelaxed(internal({ to, value, bounce, body, init: init ?? null })))
    .endCell();
  return signOrders([order], wallet, readDestination(shardAccount));
}
