import { Address } from '@ton/core';
import { internalCell, signOrders } from '../send/signOrders';
import { WorkbenchError } from '../base/errors';
import { readTransferLink, wrongNetworkProblem } from '../send/transferLink';
import type { SeqnoContext } from './carryOut';
import { onNetworkClock, sendSigned, settledState } from './carryOut';

/**
 * Signs and sends what a link asks for, as a wallet does once its user has scanned and confirmed it: there is no dApp and
 * no answer. The caller does it in the account's turn.
 *
 * @returns the normalized hash of the message; undefined if the text is no link to pay
 * @throws WorkbenchError `transfer-link-invalid`, `request-expired` (input), and the errors of signing and sending
 */
export async function payLink(text: string, context: SeqnoContext): Promise<string | undefined> {
  const asked = readTransferLink(text);
  if (asked === undefined) {
    return undefined;
  }
  const { network, clock, wallet } = context;
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
  const to = new Address(destination.workChain, destination.hash);
  const order = internalCell({ to, value, bounce, body, init: init ?? null });
  requireInTime(validUntil, clock.now());
  const { state, ahead } = await settledState(validUntil, clock.now(), context);
  requireInTime(validUntil, clock.now());
  const until = validUntil === undefined ? undefined : onNetworkClock(validUntil, ahead);
  const outcome = await sendSigned(signOrders([order], wallet, state, until), context);
  if (outcome.state !== 'sent') {
    throw outcome.error;
  }
  return outcome.hash;
}

function requireInTime(validUntil: number | undefined, now: number): void {
  if (validUntil !== undefined && validUntil <= now / 1000) {
    throw new WorkbenchError({
      code: 'request-expired',
      kind: 'input',
      message: 'This link to pay has expired.',
      hint: 'Make it again.',
    });
  }
}
