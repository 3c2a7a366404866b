import { Address, Cell, beginCell, internal, loadStateInit, storeMessageRelaxed } from '@ton/core';
import * as z from 'zod';
import { readAddressForm } from '../address/canonicalAddress';
import { parseBocInput } from '../cell/parseBocInput';
import { toCoreCell } from '../cell/toCoreCell';
import { checkShape } from '../base/checkShape';
import { mostOrders } from '../send/signOrders';
import { WorkbenchError } from '../base/errors';
import type { LocalAccount } from '../accounts/localAccount';
import { refuseRequest } from './protocol';
import { loadFolded } from '../cell/loadFolded';
import { fitsCoins, secondsProblem } from '../base/numberWidths';

const payload = z.object({
  valid_until: z.number().int().nonnegative().optional(),
  network: z.string().max(20).optional(),
  from: z.string().max(200).optional(),
  messages: z
    .array(
      z
        .object({
          address: z.string().max(200),
          amount: z.string().max(100),
          payload: z.string().optional(),
          stateInit: z.string().optional(),
          extra_currency: z.unknown().optional(),
        })
        .loose(),
    )
    .optional(),
});

/** One message of a transaction, checked. */
export interface TransactionMessage {
  /** Raw, lowercase hex. */
  address: string;
  bounce: boolean;
  /** Nanocoins, decimal. */
  amount: string;
  /** BoC, base64. */
  payload?: string | undefined;
  stateInit?: string | undefined;
}

/** A transaction that a dApp asks for, checked. */
export interface TransactionRequest {
  /** Unix seconds. */
  validUntil?: number | undefined;
  messages: TransactionMessage[];
}

/** What a request must fit. */
export interface RequestBounds {
  wallet: Pick<LocalAccount, 'kind' | 'address'>;
  /** The chain id that the dApp was told, and the network's own: they differ if the network was to be wrong. */
  told: string;
  chain: string;
  /** Unix seconds. */
  now: number;
}

/** The main network's, and the local network's by default. */
const mainChainId = '-239';

/**
 * Checks the parameter of `sendTransaction` as a wallet must.
 * @throws RefusedRequest
 */
export function checkTransaction(value: unknown, bounds: RequestBounds): TransactionRequest {
  const { data, problem } = checkShape(payload, value);
  if (problem !== undefined) {
    return refuseRequest(`${problem.path || 'the payload'} ${problem.words}`);
  }
  const { valid_until: validUntil, network, from, messages } = data;
  checkTarget({ network, from }, bounds);
  checkTime(validUntil, bounds.now);
  if (messages === undefined) {
    return refuseRequest('messages are missing; structured items are not supported');
  }
  const most = mostOrders[bounds.wallet.kind];
  if (messages.length === 0 || messages.length > most) {
    return refuseRequest(`there are ${messages.length} messages; this wallet sends 1 to ${most} at once`);
  }
  return {
    ...(validUntil === undefined ? {} : { validUntil }),
    messages: messages.map((message, index) => {
      if (message.extra_currency !== undefined) {
        return refuseRequest(`messages.${index}.extra_currency is not supported`);
      }
      const to = friendly(message.address, `messages.${index}.address`);
      const { hash, workchain, bounceable } = to;
      if (to.testOnly && bounds.chain === mainChainId) {
        // TEP-2: programs of the main network do not accept them.
        return refuseRequest(`messages.${index}.address is for test networks only (kQ… or 0Q…)`);
      }
      if (!/^\d+$/.test(message.amount)) {
        return refuseRequest(`messages.${index}.amount is not nanocoins as a decimal string`);
      }
      if (!fitsCoins(BigInt(message.amount))) {
        return refuseRequest(`messages.${index}.amount does not fit in 120 bits`);
      }
      const { payload: body, stateInit } = message;
      if (body !== undefined) {
        readCell(body, `messages.${index}.payload`);
      }
      if (stateInit !== undefined) {
        readInit(stateInit, `messages.${index}.stateInit`);
      }
      return {
        address: `${workchain}:${hash}`,
        bounce: bounceable,
        amount: BigInt(message.amount).toString(),
        ...(body === undefined ? {} : { payload: body }),
        ...(stateInit === undefined ? {} : { stateInit }),
      };
    }),
  };
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

/**
 * The single cell of a BoC.
 * @throws RefusedRequest
 */
export function readCell(text: string, name: string): Cell {
  try {
    const boc = parseBocInput(text);
    return boc.roots.length === 1
      ? toCoreCell(boc, boc.roots[0]!)
      : refuseRequest(`${name} has several roots`);
  } catch (error) {
    if (WorkbenchError.is(error)) {
      return refuseRequest(`${name} is not a BoC: ${error.message}`);
    }
    throw error;
  }
}

/** The messages as cells, in order. */
export function transactionOrders({ messages }: TransactionRequest): Cell[] {
  return messages.map(({ address, bounce, amount, payload: body, stateInit }) => {
    const init = stateInit === undefined ? null : readInit(stateInit, 'stateInit');
    const message = internal({
      to: Address.parseRaw(address),
      value: BigInt(amount),
      bounce,
      body: body === undefined ? Cell.EMPTY : readCell(body, 'payload'),
    });
    return beginCell()
      .store(storeMessageRelaxed({ ...message, init }))
      .endCell();
  });
}

function readInit(text: string, name: string): ReturnType<typeof loadStateInit> {
  const cell = readCell(text, name);
  try {
    return loadFolded(cell, (slice) => {
      const init = loadStateInit(slice);
      slice.endParse();
      return init;
    });
  } catch {
    return refuseRequest(`${name} is not a StateInit`);
  }
}

function friendly(
  text: string,
  name: string,
): { workchain: number; hash: string; bounceable: boolean; testOnly: boolean } {
  const { form, bounceable, testOnly, ...rest } = formOf(text, name);
  return form === 'raw'
    ? refuseRequest(`${name} is in the raw form; the protocol wants the user-friendly one`)
    : { ...rest, bounceable: bounceable === true, testOnly: testOnly === true };
}

function formOf(text: string, name: string): ReturnType<typeof readAddressForm> {
  try {
    return readAddressForm(text);
  } catch {
    return refuseRequest(`${name} is not an address`);
  }
}
