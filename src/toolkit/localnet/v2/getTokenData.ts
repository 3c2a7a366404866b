import type { V2Answer } from './v2Answer';
import { Cell } from '@ton/core';
import { ApiError } from '../api/apiError';
import { readTokenContent } from '../../cell/tokenContent';
import type { TokenIndex } from '../tokens/tokenIndex';
import { encodeAddress } from './encodeIds';
import type { V2Parameters } from './v2Parameters';

/** getTokenData: the contract's self-description. */
export async function getTokenData(
  tokens: TokenIndex,
  parameters: V2Parameters,
): Promise<V2Answer<'getTokenData'>> {
  const address = parameters.address();
  const token = await tokens.get(address);
  const own = { address };
  switch (token?.kind) {
    case 'jetton-master':
      return {
        '@type': 'ext.tokens.jettonMasterData',
        ...own,
        contract_type: 'jetton_master',
        total_supply: token.totalSupply,
        mintable: token.mintable,
        ...(token.admin === null ? {} : { admin_address: encodeAddress(token.admin) }),
        jetton_content: encodeContent(token.content),
        jetton_wallet_code: base64(token.walletCode),
      };
    case 'jetton-wallet':
      return {
        '@type': 'ext.tokens.jettonWalletData',
        ...own,
        contract_type: 'jetton_wallet',
        balance: token.balance,
        owner: encodeAddress(token.owner),
        jetton: encodeAddress(token.jetton),
        jetton_wallet_code: base64(token.walletCode),
      };
    case 'nft-collection':
      return {
        '@type': 'ext.tokens.nftCollectionData',
        ...own,
        contract_type: 'nft_collection',
        next_item_index: token.nextItemIndex,
        ...(token.owner === null ? {} : { owner_address: encodeAddress(token.owner) }),
        collection_content: encodeContent(token.content),
      };
    case 'nft-item':
      return {
        '@type': 'ext.tokens.nftItemData',
        ...own,
        contract_type: 'nft_item',
        init: token.init,
        index: token.index,
        ...(token.collection === null ? {} : { collection_address: encodeAddress(token.collection) }),
        ...(token.owner === null ? {} : { owner_address: encodeAddress(token.owner) }),
        content: encodeContent(token.fullContent ?? Cell.EMPTY),
      };
    default:
      throw new ApiError(409, `Smart contract ${parameters.text('address')} is not Jetton or NFT`);
  }
}

function encodeContent(cell: Cell): { type: string; data: unknown } {
  const { layout, attributes } = readTokenContent(cell);
  const data = layout === 'offchain' ? (attributes.uri ?? '') : attributes;
  return { type: layout, data };
}

function base64(cell: Cell): string {
  return cell.toBoc().toString('base64');
}
