import { Address, beginCell, internal, storeMessageRelaxed } from '@ton/core';
import { signOrders } from '../send/signOrders';
import { WorkbenchError } from '../base/errors';
import type { LocalAccount } from '../accounts/localAccount';
import { numberWidths } from '../base/numberWidths';
import { readDestination } from '../send/preparedSend';
import { readTransferLink, wrongNetworkProblem } from '../send/transferLink';
import type { Clock } from '../base/time';
import type { WalletNetwork } from './walletNetwork';

/**
 * Signs and sends what a link asks for, as a wallet does once its user has scanned and confirmed it: there is no dApp and
 * no answer.
 *
 * @returns the normalized hash of the message; undefined if the text is no link to pay
 * @throws WorkbenchError `transfer-link-invalid`, `request-expired` (input), and the errors of signing and sending
 */
export async function payLink(
  text: string,
  wallet: LocalAccount,
  { network, clock, signal }: { network: WalletNetwork; clock: Clock; signal: AbortSignal },
): Promise<string | undefined> {
  const asked = readTransferLink(text);
  if (asked === undefined) {
    return undefined;
  }
  const { destination, value, bounce, body, init, validUntil } = asked;
  const problem = wrongNetworkProblem(asked, network.chain);
  if (problem !== undefined) {
    throw new WorkbenchError({
      code: 'transfer-link-invalid',
      kind: 'input',
      message: `This link to pay is for another network: ${problem}.`,
      hint: 'Make the link for this network.',
    });
  }
  if (validUntil !== undefined && validUntil <= clock.now() / 1000) {
    throw new WorkbenchError({
      code: 'request-expired',
      kind: 'input',
      message: 'This link to pay has expired.',
      hint: 'Make it again.',
    });
  }
  const order = internal({ to: new Address(destination.workChain, destination.hash), value, bounce, body });
  const cell = beginCell()
    .store(storeMessageRelaxed({ ...order, init: init ?? null }))
    .endCell();
  const { account, ahead } = await network.signingState(wallet.address, signal);
  const until = validUntil === undefined ? undefined : Math.min(validUntil + ahead, numberWidths.seconds);
  const message = signOrders([cell], wallet, readDestination(account), until);
  const outcome = await network.send(message, signal);
  if (outcome.state !== 'sent') {
    throw outcome.error;
  }
  return outcome.hash;
}
