import type { Cell, TupleItem } from '@ton/core';
import { TupleReader } from '@ton/core';
import type { DnsEntry } from './dnsRecords';
import { readAddress } from './readAddress';
import { readMultisig, readMultisigOrder, readSale, readVesting } from './readContract';

/**
 * What a contract says of itself in its get-methods: jettons and NFTs (TEP-62, TEP-74, TEP-81), and contracts that deal
 * with them or with coins. Addresses raw, upper-case hex.
 */
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
      /** Without `.ton`. */
      domain: string | null;
      records: readonly DnsEntry[];
    }
  | {
      kind: 'nft-sale';
      isAuction: boolean;
      /** Unix seconds. */
      createdAt: number;
      marketplace: string | null;
      nft: string | null;
      nftOwner: string | null;
      /** By type, as the indexed API prints it. */
      details: Readonly<Record<string, unknown>>;
    }
  | {
      kind: 'multisig';
      nextOrderSeqno: bigint;
      threshold: number;
      signers: readonly string[];
      proposers: readonly string[];
    }
  | {
      kind: 'multisig-order';
      multisig: string | null;
      orderSeqno: bigint;
      threshold: number;
      isSent: boolean;
      signers: readonly string[];
      approvalsMask: bigint;
      approvals: number;
      /** Unix seconds. */
      expiresAt: number;
      order: Cell;
    }
  | {
      kind: 'vesting';
      /** Unix seconds, then seconds. */
      startTime: number;
      totalDuration: number;
      unlockPeriod: number;
      cliffDuration: number;
      /** Nanocoins. */
      totalAmount: bigint;
      sender: string | null;
      owner: string | null;
      whitelist: readonly string[];
    };

export type TokenKind = Token['kind'];

/** The get-method that tells a kind, in the order they are tried. */
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
