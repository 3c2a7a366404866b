import { createAccountSource } from '../accounts/createAccountSource';
import type { Access } from '../access/createAccess';
import type { LocalAccount } from '../localnet/accounts/localAccount';
import { internalMessage } from '../send/internalMessage';
import type { SendableMessage } from '../send/sendableMessage';
import type { ComposedMessage } from './composedMessage';
import { composeLocalOnlyError } from './composeLineError';
import { signComposed } from './signComposed';

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
