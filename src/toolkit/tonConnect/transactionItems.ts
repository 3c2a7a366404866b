import type { Cell } from '@ton/core';
import { Address, beginCell } from '@ton/core';
import * as z from 'zod';
import { groupBy } from '../base/collections';
import { fitsCoins } from '../base/numberWidths';
import { opcodeOf } from '../contracts/opcodes/opcodes';
import type { TransactionMessage } from './checkMessage';
import { checkMessage, messageShape, readRawAddress, readUnits, readCell } from './checkMessage';
import { refuseRequest } from './protocol';
import type { ItemFacts, ItemQuestion, WalletNetwork } from './walletNetwork';

const transferFields = {
  attachAmount: z.string().max(100).optional(),
  responseDestination: z.string().max(200).optional(),
  customPayload: z.string().optional(),
  forwardAmount: z.string().max(100).optional(),
  forwardPayload: z.string().optional(),
  queryId: z.string().max(100).optional(),
};

/** A structured item as dApps send it. A field that is not known might change what the item means. */
export const itemShape = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('ton'), ...messageShape.shape }),
    z.strictObject({
      type: z.literal('jetton'),
      master: z.string().max(200),
      destination: z.string().max(200),
      amount: z.string().max(100),
      ...transferFields,
    }),
    z.strictObject({
      type: z.literal('nft'),
      nftAddress: z.string().max(200),
      newOwner: z.string().max(200),
      ...transferFields,
    }),
  ],
  {
    error: ({ code }) => (code === 'invalid_union' ? 'is not ton, jetton, or nft' : undefined),
  },
);

/** What jetton and NFT transfers have in common. Amounts are nanocoins, decimal; cells are BoCs in base64. */
interface TransferFields {
  attachAmount?: string | undefined;
  /** Raw; the sender if it is not given. */
  responseDestination?: string | undefined;
  customPayload?: string | undefined;
  forwardAmount: string;
  forwardPayload?: string | undefined;
  /** Decimal, 64 bits. */
  queryId: string;
}

/** A structured item, checked. Addresses are raw, lowercase hex. */
export type TransactionItem =
  | { type: 'ton'; message: TransactionMessage }
  | ({ type: 'jetton'; master: string; destination: string; amount: string } & TransferFields)
  | ({ type: 'nft'; nftAddress: string; newOwner: string } & TransferFields);

/** What of a transaction depends on its items. */
interface ItemsRequest {
  items?: readonly TransactionItem[] | undefined;
  messages: TransactionMessage[];
}

/** Nanocoins for the contracts of a transfer, on top of what it forwards. */
const transferCost = 50_000_000n;

/** What is forwarded unless the dApp says something else: enough for a notification. */
const usualForward = '1';

const widestQueryId = 2n ** 64n - 1n;

/**
 * Checks an item as far as this works without its network.
 * @throws RefusedRequest
 */
export function checkItem(
  item: z.infer<typeof itemShape>,
  name: string,
  bounds: Parameters<typeof checkMessage>[2],
): TransactionItem {
  if (item.type === 'ton') {
    const { type, ...message } = item;
    return { type, message: checkMessage(message, name, bounds) };
  }
  const common = checkTransfer(item, name);
  if (item.type === 'nft') {
    return {
      type: 'nft',
      nftAddress: readRawAddress(item.nftAddress, `${name}.nftAddress`, bounds.chain),
      newOwner: readRawAddress(item.newOwner, `${name}.newOwner`, bounds.chain),
      ...common,
    };
  }
  return {
    type: 'jetton',
    master: readRawAddress(item.master, `${name}.master`, bounds.chain),
    destination: readRawAddress(item.destination, `${name}.destination`, bounds.chain),
    amount: readUnits(item.amount, `${name}.amount`),
    ...common,
  };
}

function checkTransfer(
  item: Exclude<z.infer<typeof itemShape>, { type: 'ton' }>,
  name: string,
): TransferFields {
  const { attachAmount, responseDestination, customPayload, forwardAmount, forwardPayload, queryId } = item;
  if (queryId !== undefined && (!/^\d{1,20}$/.test(queryId) || BigInt(queryId) > widestQueryId)) {
    return refuseRequest(`${name}.queryId is not a decimal number of 64 bits`);
  }
  const cells = { customPayload, forwardPayload };
  for (const [field, text] of Object.entries(cells)) {
    if (text !== undefined) {
      readCell(text, `${name}.${field}`);
    }
  }
  return {
    ...(attachAmount === undefined ? {} : { attachAmount: readUnits(attachAmount, `${name}.attachAmount`) }),
    ...(responseDestination === undefined
      ? {}
      : { responseDestination: readRawAddress(responseDestination, `${name}.responseDestination`) }),
    ...cells,
    forwardAmount: readUnits(forwardAmount ?? usualForward, `${name}.forwardAmount`),
    queryId: BigInt(queryId ?? 0).toString(),
  };
}

/** What to ask the network about the items of an account, each once. */
function itemQuestions(items: readonly TransactionItem[], owner: string): ItemQuestion[] {
  const questions = items.flatMap((item): ItemQuestion[] =>
    item.type === 'ton'
      ? []
      : item.type === 'jetton'
        ? [{ type: 'jetton', master: item.master, owner }]
        : [{ type: 'nft', address: item.nftAddress }],
  );
  return [...new Map(questions.map((question) => [keyOf(question), question])).values()];
}

/**
 * A request with the messages of its items, which the network is asked about.
 * @throws RefusedRequest if the account does not own what it is to send
 */
export async function withMessages<Request extends ItemsRequest>(
  request: Request,
  owner: string,
  network: Pick<WalletNetwork, 'lookUp'>,
  signal?: AbortSignal,
): Promise<Request> {
  const { items, messages } = request;
  if (items === undefined || messages.length > 0) {
    return request;
  }
  const facts = await network.lookUp(itemQuestions(items, owner), signal);
  return { ...request, messages: itemMessages(items, owner, facts) };
}

/**
 * The message of each item, in order.
 * @param facts the answers to {@link itemQuestions}, in their order
 * @throws RefusedRequest if the account does not own what it is to send
 */
function itemMessages(
  items: readonly TransactionItem[],
  owner: string,
  facts: readonly ItemFacts[],
): TransactionMessage[] {
  const known = new Map(itemQuestions(items, owner).map((question, at) => [keyOf(question), facts[at]]));
  const messages = items.map((item, at): TransactionMessage => {
    if (item.type === 'ton') {
      return item.message;
    }
    const name = `items.${at}`;
    const found = known.get(
      keyOf(
        item.type === 'jetton'
          ? { type: 'jetton', master: item.master, owner }
          : { type: 'nft', address: item.nftAddress },
      ),
    );
    if (found === undefined || found.type === 'problem') {
      return refuseRequest(`${name}: ${found?.words ?? 'the network did not answer'}`);
    }
    if (found.type === 'nft') {
      return found.owner === owner && item.type === 'nft'
        ? transferMessage(item, item.nftAddress, nftBody(item, owner))
        : refuseRequest(`${name}: the account does not own this NFT; its owner is ${found.owner}`);
    }
    return item.type === 'jetton'
      ? transferMessage(item, found.wallet, jettonBody(item, owner))
      : refuseRequest(`${name}: the network did not answer`);
  });
  checkSums(items, owner, known);
  return messages;
}

/** All items of one jetton together may not be more than there is, and an NFT has one new owner. */
function checkSums(
  items: readonly TransactionItem[],
  owner: string,
  known: ReadonlyMap<string, ItemFacts | undefined>,
): void {
  const jettons = items.filter((item) => item.type === 'jetton');
  for (const [master, own] of groupBy(jettons, (item) => item.master).entries()) {
    const found = known.get(keyOf({ type: 'jetton', master, owner }));
    const wanted = own.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    if (found?.type === 'jetton' && wanted > BigInt(found.balance)) {
      refuseRequest(
        `the account has ${found.balance} units of the jetton ${master}, and the items send ${wanted}`,
      );
    }
  }
  const nfts = items.flatMap((item) => (item.type === 'nft' ? item.nftAddress : []));
  const twice = nfts.find((address, at) => nfts.indexOf(address) !== at);
  if (twice !== undefined) {
    refuseRequest(`the NFT ${twice} is in two items`);
  }
}

function keyOf(question: ItemQuestion): string {
  return question.type === 'jetton' ? `jetton ${question.master}` : `nft ${question.address}`;
}

function transferMessage(
  { attachAmount, forwardAmount }: TransferFields,
  address: string,
  body: Cell,
): TransactionMessage {
  const amount = attachAmount === undefined ? BigInt(forwardAmount) + transferCost : BigInt(attachAmount);
  return {
    ...{ address, bounce: true, payload: body.toBoc().toString('base64') },
    amount: fitsCoins(amount) ? amount.toString() : refuseRequest('forwardAmount does not fit in 120 bits'),
  };
}

/** TEP-74: transfer. */
function jettonBody(item: TransactionItem & { type: 'jetton' }, owner: string): Cell {
  return beginCell()
    .storeUint(opcodeOf('jetton_transfer'), 32)
    .storeUint(BigInt(item.queryId), 64)
    .storeCoins(BigInt(item.amount))
    .storeAddress(Address.parseRaw(item.destination))
    .storeBuilder(transferTail(item, owner))
    .endCell();
}

/** TEP-62: transfer. */
function nftBody(item: TransactionItem & { type: 'nft' }, owner: string): Cell {
  return beginCell()
    .storeUint(opcodeOf('nft_transfer'), 32)
    .storeUint(BigInt(item.queryId), 64)
    .storeAddress(Address.parseRaw(item.newOwner))
    .storeBuilder(transferTail(item, owner))
    .endCell();
}

function transferTail(
  { responseDestination, customPayload, forwardAmount, forwardPayload }: TransferFields,
  owner: string,
): ReturnType<typeof beginCell> {
  const cell = (text: string | undefined): Cell | null =>
    text === undefined ? null : readCell(text, 'payload');
  return beginCell()
    .storeAddress(Address.parseRaw(responseDestination ?? owner))
    .storeMaybeRef(cell(customPayload))
    .storeCoins(BigInt(forwardAmount))
    .storeMaybeRef(cell(forwardPayload));
}
