import * as z from 'zod';
import { checkShape } from '../base/checkShape';
import type { LocalAccount } from '../accounts/localAccount';
import { secondsProblem } from '../base/numberWidths';
import type { TransactionMessage } from './checkMessage';
import { checkMessage, formOf, messageShape } from './checkMessage';
import { refuseRequest } from './protocol';
import type { TransactionItem } from './transactionItems';
import { checkItem, itemShape } from './transactionItems';
import type { WalletFeatures } from './walletFeatures';

const payload = z.strictObject({
  valid_until: z.number().int().nonnegative().optional(),
  network: z.string().max(20).optional(),
  from: z.string().max(200).optional(),
  messages: z.array(messageShape).optional(),
  items: z.array(itemShape).optional(),
});

/** A transaction that a dApp asks for, checked. */
export interface TransactionRequest {
  /** Unix seconds. */
  validUntil?: number | undefined;
  /** Empty until the items were looked up: then there is one of each item, in their order. */
  messages: TransactionMessage[];
  items?: TransactionItem[] | undefined;
}

/** What a request must fit. */
export interface RequestBounds {
  wallet: Pick<LocalAccount, 'kind' | 'address'>;
  features: WalletFeatures;
  /** The chain id that the dApp was told, and the network's own: they differ if the network was to be wrong. */
  told: string;
  chain: string;
  /** Unix seconds. */
  now: number;
}

/**
 * Checks the parameter of `sendTransaction` or `signMessage` as a wallet must.
 * @throws RefusedRequest
 */
export function checkTransaction(value: unknown, bounds: RequestBounds): TransactionRequest {
  const { data, problem } = checkShape(payload, value);
  if (problem !== undefined) {
    return refuseRequest(`${problem.path || 'the payload'} ${problem.words}`);
  }
  const { valid_until: validUntil, network, from, messages, items } = data;
  checkTarget({ network, from }, bounds);
  checkTime(validUntil, bounds.now);
  const until = validUntil === undefined ? {} : { validUntil };
  if (messages !== undefined && items !== undefined) {
    return refuseRequest('there are both messages and items; a request has one of them');
  }
  if (items !== undefined) {
    if (!bounds.features.items) {
      return refuseRequest('items are not supported by this wallet; send messages');
    }
    checkCount(items.length, 'items', bounds);
    const checked = items.map((item, index) => checkItem(item, `items.${index}`, bounds));
    const own = checked.flatMap((item) => (item.type === 'ton' ? item.message : []));
    // Items of coins alone need nothing from the network.
    return { ...until, items: checked, messages: own.length === checked.length ? own : [] };
  }
  if (messages === undefined) {
    return refuseRequest('messages are missing, and so are items; a request has one of them');
  }
  checkCount(messages.length, 'messages', bounds);
  return {
    ...until,
    messages: messages.map((message, index) => checkMessage(message, `messages.${index}`, bounds)),
  };
}

function checkCount(count: number, what: string, { features }: RequestBounds): void {
  if (count === 0 || count > features.mostMessages) {
    refuseRequest(`there are ${count} ${what}; this wallet sends 1 to ${features.mostMessages} at once`);
  }
}

/** @throws RefusedRequest if it has expired, or is no time in Unix seconds */
export function checkTime(validUntil: number | undefined, now: number): void {
  const problem = validUntil === undefined ? undefined : secondsProblem(validUntil);
  if (problem !== undefined) {
    refuseRequest(`valid_until ${problem}`);
  }
  if (validUntil !== undefined && validUntil <= now) {
    refuseRequest(`the request has expired: valid_until is ${Math.ceil(now - validUntil)} s ago`);
  }
}

/** @throws RefusedRequest if the request is for another network or another account */
export function checkTarget(
  { network, from }: { network?: string | undefined; from?: string | undefined },
  { wallet, told, chain }: RequestBounds,
): void {
  if (told !== chain) {
    refuseRequest(`this wallet is on another network (${told})`);
  }
  if (network !== undefined && network !== chain) {
    refuseRequest(`the request is for the network ${network}, and this wallet is on ${chain}`);
  }
  if (from !== undefined) {
    const sender = formOf(from, 'from');
    if (`${sender.workchain}:${sender.hash}` !== wallet.address) {
      refuseRequest('from is not the connected account');
    }
  }
}
