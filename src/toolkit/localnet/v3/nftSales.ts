import type { V3Answer } from './v3Answer';
import { v3NftSaleDetails } from '../../api/v3Tokens';
import { writeAnswer } from '../../api/writeAnswer';
import { ApiError } from '../api/apiError';
import { books } from './books';
import type { V3Context } from './context';
import { stateFields, tokensOf } from './jettons';
import { encodeItem } from './nfts';
import type { Query } from './query';

/** GET /nft/sales: contracts with the `get_sale_data` of the usual sale and auction contracts. */
export async function nftSales(context: V3Context, query: Query): Promise<V3Answer<'nftSales'>> {
  const addresses = query.addresses('address');
  if (addresses.length === 0) {
    throw new ApiError(422, 'at least 1 address required');
  }
  if (addresses.length > 1000) {
    throw new ApiError(422, 'maximum 1000 addresses allowed');
  }
  await context.tokens.refresh();
  const rows = tokensOf(context, 'nft-sale', addresses).map(({ account, token }) => {
    const [item] = token.nft === null ? [] : tokensOf(context, 'nft-item', [token.nft]);
    return {
      ...stateFields(account),
      type: token.isAuction ? 'getgems_auction' : 'getgems_sale',
      nft_address: token.nft,
      nft_owner_address: token.nftOwner,
      marketplace_address: token.marketplace,
      created_at: token.createdAt,
      details: writeAnswer(v3NftSaleDetails, token.details),
      ...(item === undefined ? {} : { nft_item: encodeItem(context, item.account, item.token) }),
    };
  });
  return { nft_sales: rows, ...(await books(context, query, rows)) };
}
