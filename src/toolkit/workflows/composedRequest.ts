import type { Address } from '@ton/core';
import type { Access } from '../access/createAccess';
import { createAccountSource } from '../accounts/createAccountSource';
import { WorkbenchError } from '../base/errors';
import { composeLocalOnlyError } from '../send/composeLineError';
import { chainIdOf } from '../send/findRequested';
import type { MessageRequest } from '../send/messageRequest';
import { requestLifetime } from '../send/messageRequest';
import type { ComposedMessage } from '../send/prepareComposed';
import { balanceReason, readDestination } from '../send/preparedSend';

/**
 * What the user's own wallet is asked for, to send a composed message.
 *
 * @param now milliseconds: the request is valid from then on
 * @throws WorkbenchError `compose-local-only` (input) for a message in a contract's name, which no wallet could sign; the
 *   network's errors
 */
export async function composedRequest(
  access: Access,
  { sender, to, value, bounce, body, init }: ComposedMessage,
  now: number,
  signal: AbortSignal,
): Promise<MessageRequest> {
  if (sender.kind === 'contract') {
    throw composeLocalOnlyError(access.network.name);
  }
  return {
    network: access.network.name,
    chain: await chainIdOf(access, { signal, priority: 'user' }),
    ...{ destination: to, value, bounce, body, init },
    validUntil: validUntilFrom(now),
  };
}

/** Unix seconds until which a request is valid that leaves now; `now` in milliseconds. */
export function validUntilFrom(now: number): number {
  return Math.floor(now / 1000) + requestLifetime;
}

/**
 * Says that a wallet cannot pay for a request; undefined if it can.
 * @param advice what to do about it
 */
export async function cannotPayError(
  access: Access,
  { value }: Pick<MessageRequest, 'value'>,
  wallet: Address,
  advice: string,
  signal: AbortSignal,
): Promise<WorkbenchError | undefined> {
  const source = await createAccountSource({ access, signal });
  const { shardAccount } = await source.account(wallet.toRawString(), signal);
  const { balance } = readDestination(shardAccount);
  return balance >= value
    ? undefined
    : new WorkbenchError({
        code: 'message-refused',
        kind: 'failed',
        message: `The wallet cannot pay for it: ${balanceReason(balance, value).text}.`,
        hint: `Nothing was handed over. ${advice}`,
      });
}
