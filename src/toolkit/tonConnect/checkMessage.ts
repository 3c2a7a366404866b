import { Address, Cell, loadStateInit } from '@ton/core';
import * as z from 'zod';
import { readAddressForm } from '../address/canonicalAddress';
import { loadFolded } from '../cell/loadFolded';
import { parseBocInput } from '../cell/parseBocInput';
import { toCoreCell } from '../cell/toCoreCell';
import { WorkbenchError } from '../base/errors';
import { fitsCoins, numberWidths } from '../base/numberWidths';
import { mainChain } from '../send/messageRequest';
import { internalCell } from '../send/signOrders';
import { refuseRequest } from './protocol';
import type { WalletFeatures } from './walletFeatures';

/** A message as dApps send it. A field that is not known might change what the message means. */
export const messageShape = z.strictObject({
  address: z.string().max(200),
  amount: z.string().max(100),
  payload: z.string().optional(),
  stateInit: z.string().optional(),
  extra_currency: z.record(z.string().max(20), z.string().max(100)).optional(),
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
  /** Amounts of extra currencies by their ids, decimal. */
  extraCurrencies?: Readonly<Record<string, string>> | undefined;
}

/**
 * Checks a message, or an item of coins, which has the same fields.
 * @throws RefusedRequest
 */
export function checkMessage(
  message: z.infer<typeof messageShape>,
  name: string,
  { chain, features }: { chain: string; features: WalletFeatures },
): TransactionMessage {
  const { form, bounceable } = formOf(message.address, `${name}.address`);
  if (form === 'raw') {
    return refuseRequest(`${name}.address is in the raw form; the protocol wants the user-friendly one`);
  }
  const { payload: body, stateInit, extra_currency: extra } = message;
  if (extra !== undefined && !features.extraCurrencies) {
    return refuseRequest(`${name}.extra_currency is not supported by this wallet`);
  }
  const address = readRawAddress(message.address, `${name}.address`, chain);
  const amount = readUnits(message.amount, `${name}.amount`);
  if (body !== undefined) {
    readCell(body, `${name}.payload`);
  }
  if (stateInit !== undefined) {
    readInit(stateInit, `${name}.stateInit`);
  }
  return {
    ...{ address, bounce: bounceable === true, amount },
    ...(body === undefined ? {} : { payload: body }),
    ...(stateInit === undefined ? {} : { stateInit }),
    ...(extra === undefined ? {} : { extraCurrencies: readExtra(extra, `${name}.extra_currency`) }),
  };
}

/**
 * An address, raw; of one that is for test networks only if the chain is given and is not the main network's.
 * @throws RefusedRequest
 */
export function readRawAddress(text: string, name: string, chain?: string): string {
  const { workchain, hash, testOnly } = formOf(text, name);
  if (testOnly === true && chain === mainChain) {
    // TEP-2: programs of the main network do not accept them.
    return refuseRequest(`${name} is for test networks only (kQ… or 0Q…)`);
  }
  return `${workchain}:${hash}`;
}

/**
 * An amount in the smallest units, decimal.
 * @throws RefusedRequest
 */
export function readUnits(text: string, name: string): string {
  if (!/^\d+$/.test(text)) {
    return refuseRequest(`${name} is not a whole amount as a decimal string`);
  }
  const amount = BigInt(text);
  return fitsCoins(amount) ? amount.toString() : refuseRequest(`${name} does not fit in 120 bits`);
}

function readExtra(extra: Readonly<Record<string, string>>, name: string): Record<string, string> {
  const read = Object.entries(extra).map(([id, amount]): [string, string] => {
    if (!/^\d{1,10}$/.test(id) || Number(id) > numberWidths.extraCurrencyId) {
      return refuseRequest(`${name} has ${JSON.stringify(id)}, which is not the id of a currency`);
    }
    if (!/^\d{1,80}$/.test(amount) || BigInt(amount) > numberWidths.extraCurrency) {
      return refuseRequest(`${name}.${id} is not an amount as a decimal string`);
    }
    return [String(Number(id)), BigInt(amount).toString()];
  });
  return Object.fromEntries(read);
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
      return refuseRequest(`${name}: ${error.message}`);
    }
    throw error;
  }
}

/** The messages as cells, in order. */
export function transactionOrders(messages: readonly TransactionMessage[]): Cell[] {
  return messages.map(({ address, bounce, amount, payload: body, stateInit, extraCurrencies }) => {
    const init = stateInit === undefined ? null : readInit(stateInit, 'stateInit');
    return internalCell({
      to: Address.parseRaw(address),
      value: BigInt(amount),
      bounce,
      init,
      ...(extraCurrencies === undefined ? {} : { extracurrency: currenciesOf(extraCurrencies) }),
      body: body === undefined ? Cell.EMPTY : readCell(body, 'payload'),
    });
  });
}

function currenciesOf(amounts: Readonly<Record<string, string>>): Record<number, bigint> {
  return Object.fromEntries(Object.entries(amounts).map(([id, amount]) => [id, BigInt(amount)]));
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

/** @throws RefusedRequest */
export function formOf(text: string, name: string): ReturnType<typeof readAddressForm> {
  try {
    return readAddressForm(text);
  } catch {
    return refuseRequest(`${name} is not an address`);
  }
}
