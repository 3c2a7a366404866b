import type { Cell } from '@ton/core';
import type { V3NftSaleDetails } from '../../api/v3Tokens';
import type { DnsEntry } from '../dns/dnsRecords';

/**
 * A contract's self-description through its get-methods: jettons and NFTs (TEP-62, TEP-74, TEP-81), and contracts
 * that deal with them or with coins. Addresses are raw, lowercase.
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
      /** Full content: from the collection if it composes it, else the item's own. */
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
      /** By type, with the indexed API's names. */
      details: V3NftSaleDetails;
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
