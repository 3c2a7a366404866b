import type { Cell, TupleItem } from '@ton/core';
import { Dictionary, TupleReader } from '@ton/core';
import { readDictionary } from '../../cell/readDictionary';
import { WorkBudget } from '../../limits';
import { rawAddress } from '../../cell/light/readMessage';
import { readStackAddress } from './readStackAddress';
import type { Token, TokenKind } from './token';
import { loadFolded } from '../../cell/loadFolded';

type Kind<K extends TokenKind> = Extract<Token, { kind: K }>;

/** First word of `get_sale_data`: a fixed price ("FIX"+"P") or an auction ("AUC"). */
const fixedPrice = 0x46495850n;
const auction = 0x415543n;

/** `get_multisig_data` of multisig v2. */
export function readMultisig(stack: TupleItem[]): Kind<'multisig'> {
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
export function readMultisigOrder(stack: TupleItem[]): Kind<'multisig-order'> {
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
export function readVesting(stack: TupleItem[]): Kind<'vesting'> {
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
export function readSale(stack: TupleItem[]): Kind<'nft-sale'> | null {
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
