import type { Cell, TupleItem } from '@ton/core';
import { Address, TupleReader } from '@ton/core';
import { rawAddress } from '../chain/readMessage';

/** What a contract says of itself in its get-methods (TEP-62, TEP-74, TEP-81). Addresses raw, upper-case hex. */
export type Token =
  | {
      kind: 'jetton-master';
      totalSupply: bigint;
      mintable: boolean;
      admin: string | null;
      content: Cell;
      walletCode: Cell;
    }
  | { kind: 'jetton-wallet'; balance: bigint; owner: string | null; jetton: string | null; walletCode: Cell }
  | { kind: 'nft-collection'; nextItemIndex: bigint; content: Cell; owner: string | null }
  | {
      kind: 'nft-item';
      init: boolean;
      index: bigint;
      collection: string | null;
      owner: string | null;
      content: Cell | null;
      /** Full content: of the collection when it composes it, else the item's own. */
      fullContent: Cell | null;
      domain: string | null;
    };

export type TokenKind = Token['kind'];

/** The get-method that tells a kind, in the order they are tried. */
export const tokenMethods: readonly { kind: TokenKind; method: string }[] = [
  { kind: 'jetton-master', method: 'get_jetton_data' },
  { kind: 'jetton-wallet', method: 'get_wallet_data' },
  { kind: 'nft-collection', method: 'get_collection_data' },
  { kind: 'nft-item', method: 'get_nft_data' },
];

/** The method's result as a token; null when it has another shape. */
export function readToken(kind: TokenKind, stack: TupleItem[]): Token | null {
  try {
    const reader = new TupleReader(stack);
    switch (kind) {
      case 'jetton-master': {
        const totalSupply = reader.readBigNumber();
        const mintable = reader.readBigNumber() !== 0n;
        const admin = readAddress(reader.pop());
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
        const owner = readAddress(reader.pop());
        return { kind, balance, owner, jetton: readAddress(reader.pop()), walletCode: reader.readCell() };
      }
      case 'nft-collection': {
        const nextItemIndex = reader.readBigNumber();
        return { kind, nextItemIndex, content: reader.readCell(), owner: readAddress(reader.pop()) };
      }
      case 'nft-item': {
        const init = reader.readBigNumber() !== 0n;
        const index = reader.readBigNumber();
        const collection = readAddress(reader.pop());
        const owner = readAddress(reader.pop());
        const content = reader.readCellOpt();
        return { kind, init, index, collection, owner, content, fullContent: content, domain: null };
      }
    }
  } catch {
    return null;
  }
}

/** An address in a stack entry; null for addr_none or anything else. */
export function readAddress(item: TupleItem): string | null {
  if (item.type !== 'slice' && item.type !== 'cell') {
    return null;
  }
  const address = item.cell.beginParse().loadAddressAny();
  return Address.isAddress(address) ? rawAddress(address.workChain, address.hash) : null;
}
