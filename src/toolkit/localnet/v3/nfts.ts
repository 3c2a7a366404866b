import { ApiError } from '../api/apiError';
import type { AccountRecord, TransactionRecord } from '../chain/records';
import type { Token } from '../tokens/token';
import { readTokenContent } from '../tokens/tokenContent';
import { books } from './books';
import { addressField, numberField } from './bodyFields';
import type { V3Context } from './context';
import type { Json } from './encodeDescription';
import { eventFields, matchesOwner, payloadFields, related, stateFields, tokensOf } from './jettons';
import type { Query } from './query';
import { takePage } from './query';
import type { BodyEvent } from './tokenEvents';
import { tokenEvents } from './tokenEvents';

type Collection = Extract<Token, { kind: 'nft-collection' }>;
type Item = Extract<Token, { kind: 'nft-item' }>;

/** GET /nft/collections. */
export async function nftCollections(context: V3Context, query: Query): Promise<Json> {
  await context.tokens.refresh();
  const page = query.page();
  const addresses = query.addresses('collection_address');
  const owners = query.addresses('owner_address');
  const source = addresses.length > 0 ? addresses : related(context, owners);
  const found = tokensOf(context, 'nft-collection', source).filter(
    ({ token }) => owners.length === 0 || owners.includes(token.owner ?? ''),
  );
  const rows = takePage(found, page).map(({ account, token }) => encodeCollection(account, token));
  return { nft_collections: rows, ...(await books(context, query, rows)) };
}

function encodeCollection(account: AccountRecord, token: Collection): Json {
  return {
    ...stateFields(account),
    owner_address: token.owner,
    next_item_index: token.nextItemIndex.toString(),
    collection_content: readTokenContent(token.content).attributes,
  };
}

/** GET /nft/items. */
export async function nftItems(context: V3Context, query: Query): Promise<Json> {
  await context.tokens.refresh();
  const page = query.page();
  const addresses = query.addresses('address');
  const owners = query.addresses('owner_address');
  const collections = query.addresses('collection_address');
  const indexes = query.list('index');
  if (indexes.some((index) => !/^\d+$/.test(index))) {
    throw new ApiError(422, 'index should contain digits only');
  }
  if (collections.length > 1 && owners.length !== 1) {
    throw new ApiError(422, 'exact one owner_address required for multiple collection_address');
  }
  const source =
    addresses.length > 0 ? addresses : related(context, owners.length > 0 ? owners : collections);
  const found = tokensOf(context, 'nft-item', source).filter(
    ({ token }) =>
      (owners.length === 0 || owners.includes(token.owner ?? '')) &&
      (collections.length === 0 || collections.includes(token.collection ?? '')) &&
      (indexes.length === 0 || indexes.includes(token.index.toString())),
  );
  if (query.flag('sort_by_last_transaction_lt', false)) {
    found.sort((a, b) => Number(b.account.facts.lastTransactionLt - a.account.facts.lastTransactionLt));
  }
  const rows = takePage(found, page).map(({ account, token }) => encodeItem(context, account, token));
  return { nft_items: rows, ...(await books(context, query, rows)) };
}

function encodeItem(context: V3Context, account: AccountRecord, token: Item): Json {
  const collection = tokensOf(
    context,
    'nft-collection',
    token.collection === null ? [] : [token.collection],
  )[0];
  return {
    ...stateFields(account),
    init: token.init,
    index: token.index.toString(),
    collection_address: token.collection,
    owner_address: token.owner,
    content: token.fullContent === null ? {} : readTokenContent(token.fullContent).attributes,
    collection: collection === undefined ? null : encodeCollection(collection.account, collection.token),
    on_sale: false,
  };
}

/** GET /nft/transfers. */
export async function nftTransfers(context: V3Context, query: Query): Promise<Json> {
  await context.tokens.refresh();
  const owners = query.addresses('owner_address');
  const items = query.addresses('item_address');
  const collection = query.address('collection_address');
  const direction = query.text('direction');
  const rows = tokenEvents(context, query, 'nft_transfer', 'nft-item', ({ transaction, token, body }) => {
    const row = encodeTransfer(transaction, token, body);
    const matches =
      matchesOwner(owners, direction, row.old_owner, row.new_owner) &&
      (items.length === 0 || items.includes(transaction.account.address)) &&
      (collection === undefined || token.collection === collection);
    return matches ? row : undefined;
  });
  return { nft_transfers: rows, ...(await books(context, query, rows)) };
}

function encodeTransfer(transaction: TransactionRecord, item: Item, event: BodyEvent): Json {
  return {
    ...eventFields(transaction, event),
    nft_address: transaction.account.address,
    nft_collection: item.collection,
    old_owner: transaction.inMessage?.source ?? null,
    new_owner: addressField(event.body, 'new_owner'),
    forward_amount: numberField(event.body, 'forward_amount'),
    ...payloadFields(event),
  };
}

/** GET /nft/sales: sale contracts are not recognised here. */
export async function nftSales(context: V3Context, query: Query): Promise<Json> {
  const addresses = query.addresses('address');
  if (addresses.length === 0) {
    throw new ApiError(422, 'at least 1 address required');
  }
  if (addresses.length > 1000) {
    throw new ApiError(422, 'maximum 1000 addresses allowed');
  }
  return { nft_sales: [], ...(await books(context, query, [])) };
}
