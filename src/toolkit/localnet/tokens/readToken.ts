import type { Token, TokenKind } from './token';
import type { TupleItem } from '@ton/core';
import { TupleReader } from '@ton/core';
import { readStackAddress } from './readStackAddress';
import { readMultisig, readMultisigOrder, readSale, readVesting } from './readContract';

/** The get-method that identifies a kind, in the order they are tried. */
export const tokenMethods: readonly { kind: TokenKind; method: string }[] = [
  { kind: 'jetton-master', method: 'get_jetton_data' },
  { kind: 'jetton-wallet', method: 'get_wallet_data' },
  { kind: 'nft-collection', method: 'get_collection_data' },
  { kind: 'nft-item', method: 'get_nft_data' },
  { kind: 'nft-sale', method: 'get_sale_data' },
  { kind: 'multisig', method: 'get_multisig_data' },
  { kind: 'multisig-order', method: 'get_order_data' },
  { kind: 'vesting', method: 'get_vesting_data' },
];

/** The method's result as a token; null if it has another shape. */
export function readToken(kind: TokenKind, stack: TupleItem[]): Token | null {
  try {
    const reader = new TupleReader(stack);
    switch (kind) {
      case 'jetton-master': {
        const totalSupply = reader.readBigNumber();
        const mintable = reader.readBigNumber() !== 0n;
        const admin = readStackAddress(reader.pop());
        return {
          kind,
          totalSupply,
          mintable,
          admin,
          content: reader.readCell(),
          walletCode: reader.readCell(),
        };
      }
      case 'jetton-wallet': {
        const balance = reader.readBigNumber();
        const owner = readStackAddress(reader.pop());
        return {
          kind,
          balance,
          owner,
          jetton: readStackAddress(reader.pop()),
          walletCode: reader.readCell(),
        };
      }
      case 'nft-collection': {
        const nextItemIndex = reader.readBigNumber();
        return { kind, nextItemIndex, content: reader.readCell(), owner: readStackAddress(reader.pop()) };
      }
      case 'nft-item': {
        const init = reader.readBigNumber() !== 0n;
        const index = reader.readBigNumber();
        const collection = readStackAddress(reader.pop());
        const owner = readStackAddress(reader.pop());
        const content = reader.readCellOpt();
        return {
          kind,
          init,
          index,
          collection,
          owner,
          content,
          fullContent: content,
          domain: null,
          records: [],
        };
      }
      case 'nft-sale':
        return readSale(stack);
      case 'multisig':
        return readMultisig(stack);
      case 'multisig-order':
        return readMultisigOrder(stack);
      case 'vesting':
        return readVesting(stack);
    }
  } catch {
    return null;
  }
}
