import type { Cell, TupleItem } from '@ton/core';
import { Address, Dictionary, TupleReader } from '@ton/core';
import type { V3NftSaleDetails } from '../../api/v3Tokens';
import { rawAddress } from '../../cell/light/readMessage';
import { loadFolded } from '../../cell/loadFolded';
import { readDictionary } from '../../cell/tokenContent';
import { WorkBudget } from '../../base/limits';
import type { DnsEntry } from '../dns/dnsRecords';

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

type Kind<K extends TokenKind> = Extract<Token, { kind: K }>;

/** First word of `get_sale_data`: a fixed price ("FIX"+"P") or an auction ("AUC"). */
const fixedPrice = 0x46495850n;
const auction = 0x415543n;

/** `get_multisig_data` of multisig v2. */
function readMultisig(stack: TupleItem[]): Kind<'multisig'> {
  const reader = new TupleReader(stack);
  return {
    kind: 'multisig',
    nextOrderSeqno: reader.readBigNumber(),
    threshold: reader.readNumber(),
    signers: readPeople(reader.readCellOpt()),
    proposers: readPeople(reader.readCellOpt()),
  };
}

/** `get_order_data` of an order of multisig v2. */
function readMultisigOrder(stack: TupleItem[]): Kind<'multisig-order'> {
  const reader = new TupleReader(stack);
  return {
    kind: 'multisig-order',
    multisig: readStackAddress(reader.pop()),
    orderSeqno: reader.readBigNumber(),
    threshold: reader.readNumber(),
    isSent: reader.readBoolean(),
    signers: readPeople(reader.readCellOpt()),
    approvalsMask: reader.readBigNumber(),
    approvals: reader.readNumber(),
    expiresAt: reader.readNumber(),
    order: reader.readCell(),
  };
}

/** `get_vesting_data` of the vesting wallet. */
function readVesting(stack: TupleItem[]): Kind<'vesting'> {
  const reader = new TupleReader(stack);
  return {
    kind: 'vesting',
    startTime: reader.readNumber(),
    totalDuration: reader.readNumber(),
    unlockPeriod: reader.readNumber(),
    cliffDuration: reader.readNumber(),
    totalAmount: reader.readBigNumber(),
    sender: readStackAddress(reader.pop()),
    owner: readStackAddress(reader.pop()),
    whitelist: readWhitelist(reader.readCellOpt()),
  };
}

/** `get_sale_data` of the usual sale and auction contracts. */
function readSale(stack: TupleItem[]): Kind<'nft-sale'> | null {
  const reader = new TupleReader(stack);
  const word = reader.readBigNumber();
  if (word === fixedPrice) {
    const isComplete = reader.readBoolean();
    const createdAt = reader.readNumber();
    const place = readPlace(reader);
    return {
      kind: 'nft-sale',
      isAuction: false,
      createdAt,
      ...place,
      details: {
        is_complete: isComplete,
        full_price: reader.readBigNumber(),
        marketplace_fee_address: readStackAddress(reader.pop()),
        marketplace_fee: reader.readBigNumber(),
        royalty_address: readStackAddress(reader.pop()),
        royalty_amount: reader.readBigNumber(),
      },
    };
  }
  if (word !== auction) {
    return null;
  }
  const isEnded = reader.readBoolean();
  const endTime = reader.readNumber();
  const place = readPlace(reader);
  const bid = {
    end_flag: isEnded,
    end_time: endTime,
    last_bid: reader.readBigNumber(),
    last_member: readStackAddress(reader.pop()),
    min_step: reader.readBigNumber(),
  };
  const fees = {
    mp_fee_address: readStackAddress(reader.pop()),
    mp_fee_factor: reader.readBigNumber(),
    mp_fee_base: reader.readBigNumber(),
    royalty_fee_address: readStackAddress(reader.pop()),
    royalty_fee_factor: reader.readBigNumber(),
    royalty_fee_base: reader.readBigNumber(),
  };
  const bounds = {
    max_bid: reader.readBigNumber(),
    min_bid: reader.readBigNumber(),
  };
  const createdAt = reader.readNumber();
  return { kind: 'nft-sale', isAuction: true, createdAt, ...place, details: { ...bid, ...fees, ...bounds } };
}

function readPlace(reader: TupleReader): Record<'marketplace' | 'nft' | 'nftOwner', string | null> {
  return {
    marketplace: readStackAddress(reader.pop()),
    nft: readStackAddress(reader.pop()),
    nftOwner: readStackAddress(reader.pop()),
  };
}

/** Members by index. */
function readPeople(dictionary: Cell | null): string[] {
  if (dictionary === null) {
    return [];
  }
  const people = loadFolded(dictionary, (slice) =>
    slice.loadDictDirect(Dictionary.Keys.Uint(8), Dictionary.Values.Address()),
  );
  return [...people].sort(([a], [b]) => a - b).map(([, { workChain, hash }]) => rawAddress(workChain, hash));
}

/** Keys are workchain and hash (264 bits) in the reference contract, whole addresses (267 bits) in others. */
function readWhitelist(dictionary: Cell | null): string[] {
  if (dictionary === null) {
    return [];
  }
  const addressesOf = (keyBits: number): string[] => {
    const addresses: string[] = [];
    readDictionary(dictionary, keyBits, new WorkBudget('dictionaryCells'), (key) => {
      const hash = BigInt.asUintN(256, key).toString(16).padStart(64, '0');
      addresses.push(rawAddress(Number(BigInt.asIntN(8, key >> 256n)), Buffer.from(hash, 'hex')));
    });
    return addresses;
  };
  try {
    return addressesOf(264);
  } catch {
    return addressesOf(267);
  }
}

/** An address in a stack entry; null for addr_none or anything else. */
function readStackAddress(item: TupleItem): string | null {
  if (item.type !== 'slice' && item.type !== 'cell') {
    return null;
  }
  const address = item.cell.beginParse().loadAddressAny();
  return Address.isAddress(address) ? rawAddress(address.workChain, address.hash) : null;
}

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
