import type { Exact } from '../../api/v3Objects';
import type { V3NftCollection, V3NftItem, V3NftTransfer } from '../../api/v3Tokens';
import { readTokenContent } from '../../cell/tokenContent';
import { addressOf, integerOf } from '../../contracts/opcodes/decodedBody';
import { ApiError } from '../api/apiError';
import type { AccountRecord, TransactionRecord } from '../records/records';
import type { Token } from '../tokens/readToken';
import type { V3Answer } from './blocks';
import { books } from './blocks';
import { eventFields, forwardPayloadFields, matchesOwner, related, stateFields, tokensOf } from './jettons';
import { takePage } from './page';
import type { Query } from './query';
import type { BodyEvent, V3Context } from './v3Context';
import { tokenEvents } from './v3Context';

type Collection = Extract<Token, { kind: 'nft-collection' }>;
type Item = Extract<Token, { kind: 'nft-item' }>;

/** GET /nft/collections. */
export async function nftCollections(context: V3Context, query: Query): Promise<V3Answer<'nftCollections'>> {
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

function encodeCollection(account: AccountRecord, token: Collection): Exact<V3NftCollection> {
  return {
    ...stateFields(account),
    owner_address: token.owner,
    next_item_index: token.nextItemIndex,
    collection_content: readTokenContent(token.content).attributes,
  };
}

/** GET /nft/items. */
export async function nftItems(context: V3Context, query: Query): Promise<V3Answer<'nftItems'>> {
  await context.tokens.refresh();
  const page = query.page();
  const addresses = query.addresses('address');
  const owners = query.addresses('owner_address');
  const collections = query.addresses('collection_address');
  const indexes = query.list('index');
  if (indexes.some((index) => !/^\d+$/.test(index))) {
    throw new ApiError(422, 'index should contain digits only');
  }
  if (indexes.length > 0 && collections.length === 0) {
    // The service detects this while building its database query: as with `limit`, that makes the status 500.
    throw new ApiError(500, 'index parameter is not allowed without the collection_address');
  }
  if (collections.length > 1 && owners.length !== 1) {
    throw new ApiError(422, 'exact one owner_address required for multiple collection_address');
  }
  const source =
    addresses.length > 0 ? addresses : related(context, owners.length > 0 ? owners : collections);
  // Items given to a sale contract belong to that contract.
  const sales = query.flag('include_on_sale', false) ? salesOf(context, owners) : new Set<string>();
  const found = tokensOf(context, 'nft-item', source?.concat(soldBy(context, sales))).filter(
    ({ token }) =>
      (owners.length === 0 || owners.includes(token.owner ?? '') || sales.has(token.owner ?? '')) &&
      (collections.length === 0 || collections.includes(token.collection ?? '')) &&
      (indexes.length === 0 || indexes.includes(token.index.toString())),
  );
  if (query.flag('sort_by_last_transaction_lt', false)) {
    found.sort((a, b) => Number(b.account.facts.lastTransactionLt - a.account.facts.lastTransactionLt));
  }
  const rows = takePage(found, page).map(({ account, token }) => encodeItem(context, account, token));
  return { nft_items: rows, ...(await books(context, query, rows)) };
}

/** An item as shown in rows. */
export function encodeItem(context: V3Context, account: AccountRecord, token: Item): Exact<V3NftItem> {
  const collection = tokensOf(
    context,
    'nft-collection',
    token.collection === null ? [] : [token.collection],
  )[0];
  return {
    ...stateFields(account),
    init: token.init,
    index: token.index,
    collection_address: token.collection,
    owner_address: token.owner,
    content: token.fullContent === null ? {} : readTokenContent(token.fullContent).attributes,
    collection: collection === undefined ? null : encodeCollection(collection.account, collection.token),
    ...saleFields(context, account.address, token),
  };
}

/** An item owned by a sale contract is on sale; its real owner is the seller. */
function saleFields({ tokens }: V3Context, address: string, { owner }: Item): Exact<V3NftItem> {
  const sale = owner === null ? undefined : tokens.known(owner);
  if (sale?.kind !== 'nft-sale' || sale.nft !== address) {
    return { on_sale: false };
  }
  return {
    on_sale: true,
    [sale.isAuction ? 'auction_contract_address' : 'sale_contract_address']: owner,
    ...(sale.nftOwner === null ? {} : { real_owner: sale.nftOwner }),
  };
}

/** GET /nft/transfers. */
export async function nftTransfers(context: V3Context, query: Query): Promise<V3Answer<'nftTransfers'>> {
  await context.tokens.refresh();
  const owners = query.addresses('owner_address');
  const items = query.addresses('item_address');
  const collection = query.address('collection_address');
  const direction = query.text('direction');
  const rows = await tokenEvents(context, query, {
    name: 'nft_transfer',
    kind: 'nft-item',
    parties: owners,
    isWanted: ({ account }, token) =>
      (items.length === 0 || items.includes(account.address)) &&
      (collection === undefined || token.collection === collection),
    row: ({ transaction, token, body }) => {
      const row = encodeTransfer(transaction, token, body);
      return matchesOwner(owners, direction, row.old_owner, row.new_owner) ? row : undefined;
    },
  });
  return { nft_transfers: rows, ...(await books(context, query, rows)) };
}

function encodeTransfer(transaction: TransactionRecord, item: Item, event: BodyEvent): Exact<V3NftTransfer> {
  return {
    ...eventFields(transaction, event),
    nft_address: transaction.account.address,
    nft_collection: item.collection,
    old_owner: transaction.inMessage?.source ?? null,
    new_owner: addressOf(event.body, 'new_owner') ?? null,
    forward_amount: integerOf(event.body, 'forward_amount') ?? null,
    ...forwardPayloadFields(event),
  };
}

/** Sale contracts that sell for one of the owners. */
function salesOf({ tokens }: V3Context, owners: readonly string[]): Set<string> {
  const sales = owners.flatMap((owner) =>
    [...tokens.related(owner)].filter((address) => {
      const token = tokens.known(address);
      return token?.kind === 'nft-sale' && token.nftOwner === owner;
    }),
  );
  return new Set(sales);
}

function soldBy({ tokens }: V3Context, sales: ReadonlySet<string>): string[] {
  return [...sales].flatMap((address) => {
    const sale = tokens.known(address);
    return sale?.kind === 'nft-sale' && sale.nft !== null ? [sale.nft] : [];
  });
}
