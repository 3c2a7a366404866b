import type { StateInit } from '@ton/core';
import { Address, beginCell, Cell, storeMessage } from '@ton/core';
import type { InjectedMessage } from '../chain/inboundMessage';
import type { LocalChain } from '../chain/localChain';
import { fitsCoins } from '../../base/numberWidths';
import { ApiError } from '../api/apiError';

/** A forged internal message. */
export interface ForgedMessage {
  /** Any address, raw, lowercase; its balance is not charged. */
  from: string;
  to: string;
  /** Nanocoins. */
  value: bigint;
  body?: Cell | undefined;
  init?: StateInit | undefined;
  bounce?: boolean | undefined;
}

/**
 * Sends a forged internal message: the faucet's, or one "sent as" a contract without its key; in automatic mode its
 * block is made at once. Returns its hash.
 * @throws ApiError 422 if the account would have more coins than fit
 */
export async function sendAs(chain: LocalChain, message: ForgedMessage): Promise<string> {
  const forged = forgeMessage(chain, message);
  await chain.inject(forged);
  return forged.hash;
}

/**
 * The message that {@link sendAs} would send now.
 * @throws ApiError 422 if the account would have more coins than fit
 */
export function forgeMessage(chain: LocalChain, message: ForgedMessage): InjectedMessage {
  const balance = chain.ledger.accounts.get(message.to)?.facts.balance ?? 0n;
  if (!fitsCoins(balance + message.value)) {
    throw new ApiError(
      422,
      `the account would have ${balance + message.value} nanocoins, which do not fit in 120 bits`,
    );
  }
  const { startLt, now } = chain.newContext();
  const cell = beginCell()
    .store(
      storeMessage({
        info: {
          type: 'internal',
          ihrDisabled: true,
          bounce: message.bounce ?? false,
          bounced: false,
          src: Address.parseRaw(message.from),
          dest: Address.parseRaw(message.to),
          value: { coins: message.value },
          ihrFee: 0n,
          forwardFee: 0n,
          // Unique for each message of a block, so that their hashes are too.
          createdLt: startLt + BigInt(chain.carried),
          createdAt: now,
        },
        init: message.init ?? null,
        body: message.body ?? Cell.EMPTY,
      }),
    )
    .endCell();
  const hash = cell.hash().toString('hex');
  return { boc: cell.toBoc().toString('base64'), destination: message.to, hash };
}
