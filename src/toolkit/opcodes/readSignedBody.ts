import { beginCell, loadMessageRelaxed } from '@ton/core';
import type { Cell, Slice } from '@ton/core';
import { foldedCell } from '../cell/foldedCell';
import { readDictionary } from '../cell/readDictionary';
import { WorkBudget } from '../limits';
import type { WalletFamily } from './walletCodes';
import { actionTags } from './actionTags';
import { walletTags } from './walletTags';

/** Expiry time of a wallet request that never expires. */
export const neverExpires = 0xffffffff;

/** One message in a wallet request. */
export interface WalletMessage {
  /** Send mode, as in SENDRAWMSG. */
  mode: number;
  message: Cell;
}

/** A signed wallet request. Fields that the family lacks are undefined. */
export interface SignedBody {
  family: WalletFamily;
  /** v5 only: signed for an internal message, so that another account can pay for it. */
  internal: boolean;
  /** 32 bits; 80 bits for the v5 beta. */
  walletId: bigint | undefined;
  seqno: number | undefined;
  /** Unix seconds after which the wallet rejects it; {@link neverExpires}: never. */
  validUntil: number | undefined;
  /** Highload wallets: the unique id of the request. */
  queryId: bigint | undefined;
  /** In the order of sending. */
  messages: WalletMessage[];
  /** v4 `op` other than 0 (plugins), v5 extended actions: the request does more than send. */
  otherActions: boolean;
  /** 64 bytes. */
  signature: Buffer;
  /** What is signed: a cell hash, 32 bytes. */
  signedHash: Buffer;
}

/**
 * A signed request in the layout of `family` or, if unknown, in the layout that its length fits; undefined if none
 * does. Layouts: the wallets' published sources.
 */
export function readSignedBody(body: Cell, family?: WalletFamily): SignedBody | undefined {
  const families = family === undefined ? guesses : [family];
  for (const guess of families) {
    try {
      const read = body.isExotic ? undefined : readers[guess](body.beginParse(), guess);
      if (read !== undefined) {
        return read;
      }
    } catch {
      // Another layout may fit.
    }
  }
  return undefined;
}

/** No two of them have the same length, except v5 and its beta, which differ in the length of the wallet id. */
const guesses: readonly WalletFamily[] = [
  'v5',
  'v5-beta',
  'v4',
  'v3',
  'v2',
  'v1',
  'highload-v2',
  'highload-v3',
];

type Read = (slice: Slice, family: WalletFamily) => SignedBody | undefined;

const readers: Record<WalletFamily, Read> = {
  v1: (slice, family) =>
    signedFirst(slice, family, (inner) => ({ seqno: inner.loadUint(32), messages: pairs(inner) })),
  v2: (slice, family) =>
    signedFirst(slice, family, (inner) => ({
      seqno: inner.loadUint(32),
      validUntil: inner.loadUint(32),
      messages: pairs(inner),
    })),
  v3: (slice, family) =>
    signedFirst(slice, family, (inner) => ({
      walletId: inner.loadUintBig(32),
      validUntil: inner.loadUint(32),
      seqno: inner.loadUint(32),
      messages: pairs(inner),
    })),
  v4: (slice, family) =>
    signedFirst(slice, family, (inner) => {
      const head = {
        walletId: inner.loadUintBig(32),
        validUntil: inner.loadUint(32),
        seqno: inner.loadUint(32),
      };
      const op = inner.loadUint(8);
      if (op > 0) {
        skipPluginRequest(inner, op);
      }
      return { ...head, otherActions: op > 0, messages: op === 0 ? pairs(inner) : [] };
    }),
  v5: (slice, family) => signedLast(slice, family, 32),
  'v5-beta': (slice, family) => signedLast(slice, family, 80),
  'highload-v2': (slice, family) =>
    signedFirst(slice, family, (inner) => {
      const walletId = inner.loadUintBig(32);
      const queryId = inner.loadUintBig(64);
      // The high half of a query id is the expiry time.
      const validUntil = Number(queryId >> 32n);
      return { walletId, queryId, validUntil, messages: dictionaryMessages(inner) };
    }),
  'highload-v3': (slice, family) => highloadV3(slice, family),
};

function signedFirst(
  slice: Slice,
  family: WalletFamily,
  read: (inner: Slice) => Partial<SignedBody>,
): SignedBody | undefined {
  const signature = slice.loadBuffer(64);
  const signedHash = slice.asCell().hash();
  const fields = read(slice);
  const complete = slice.remainingBits === 0 && slice.remainingRefs === 0;
  return complete ? { ...empty(family), ...fields, signature, signedHash } : undefined;
}

/** Wallet v4: 1 deploys and installs a plugin, 2 installs one, 3 removes one. */
function skipPluginRequest(slice: Slice, op: number): void {
  if (op > 3) {
    throw new Error('wallet v4 has no such request');
  }
  slice.skip(8);
  if (op === 1) {
    slice.loadCoins();
    slice.loadRef();
    slice.loadRef();
    return;
  }
  slice.skip(256);
  slice.loadCoins();
  slice.skip(64);
}

function signedLast(slice: Slice, family: WalletFamily, walletIdBits: number): SignedBody | undefined {
  const code = slice.preloadUint(32);
  if (code !== walletTags.signedExternal && code !== walletTags.signedInternal) {
    return undefined;
  }
  const unsigned = beginCell().storeBits(slice.clone().loadBits(slice.remainingBits - 512));
  for (const refs = slice.clone(); refs.remainingRefs > 0;) {
    unsigned.storeRef(refs.loadRef());
  }
  slice.skip(32);
  const walletId = slice.loadUintBig(walletIdBits);
  const validUntil = slice.loadUint(32);
  const seqno = slice.loadUint(32);
  const { messages, otherActions } = family === 'v5' ? actionsOfV5(slice) : actionsOfBeta(slice);
  if (slice.remainingBits !== 512) {
    return undefined;
  }
  return {
    ...empty(family),
    internal: code === walletTags.signedInternal,
    walletId,
    validUntil,
    seqno,
    messages,
    otherActions,
    signature: slice.loadBuffer(64),
    signedHash: unsigned.endCell().hash(),
  };
}

function actionsOfV5(slice: Slice): { messages: WalletMessage[]; otherActions: boolean } {
  const list = slice.loadMaybeRef();
  const otherActions = slice.loadBit();
  if (otherActions) {
    // The first extended action is here, the others in a chain of references after it.
    const op = slice.loadUint(8);
    if (op === 2 || op === 3) {
      slice.loadAddress();
    } else if (op === 4) {
      slice.skip(1);
    } else {
      throw new Error('wallet v5 has no such action');
    }
  }
  return { messages: list === null ? [] : sendActions(list), otherActions };
}

/** The beta puts the action list after one bit that says whether there are extended actions. */
function actionsOfBeta(slice: Slice): { messages: WalletMessage[]; otherActions: boolean } {
  if (!slice.loadBit()) {
    return { messages: sendActions(slice.loadRef()), otherActions: false };
  }
  const op = slice.loadUint(32);
  if (op === 0x20cbb95a) {
    slice.skip(1);
  } else if (op === 0x1c40db9f || op === 0x5eaef4a4) {
    slice.loadAddress();
  } else {
    throw new Error('wallet v5 beta has no such action');
  }
  return { messages: [], otherActions: true };
}

/** OutList (block.tlb) from its end to its beginning; throws on anything but action_send_msg. */
function sendActions(list: Cell): WalletMessage[] {
  const result: WalletMessage[] = [];
  let current = list;
  while (current.bits.length > 0 || current.refs.length > 0) {
    const slice = current.beginParse();
    current = slice.loadRef();
    if (slice.loadUint(32) !== actionTags.sendMessage || result.length === 255) {
      throw new Error('not a list of messages');
    }
    result.unshift({ mode: slice.loadUint(8), message: slice.loadRef() });
  }
  return result;
}

function dictionaryMessages(slice: Slice): WalletMessage[] {
  const messages: WalletMessage[] = [];
  const dictionary = slice.loadMaybeRef();
  if (dictionary !== null) {
    readDictionary(dictionary, 16, new WorkBudget('dictionaryCells'), (_, value) =>
      messages.push({ mode: value.loadUint(8), message: value.loadRef() }),
    );
  }
  return messages;
}

function highloadV3(slice: Slice, family: WalletFamily): SignedBody | undefined {
  const signature = slice.loadBuffer(64);
  const signed = slice.loadRef();
  const inner = signed.beginParse();
  const walletId = inner.loadUintBig(32);
  const message = inner.loadRef();
  const mode = inner.loadUint(8);
  const queryId = inner.loadUintBig(23);
  const createdAt = inner.loadUintBig(64);
  const validUntil = Number(createdAt) + inner.loadUint(22);
  loadMessageRelaxed(foldedCell(message).beginParse());
  const rest = slice.remainingBits + slice.remainingRefs + inner.remainingBits + inner.remainingRefs;
  const fields = { walletId, queryId, validUntil, messages: [{ mode, message }], signature };
  return rest === 0 ? { ...empty(family), ...fields, signedHash: signed.hash() } : undefined;
}

/** Up to four pairs of send mode and message; throws if one of them is not a message. */
function pairs(slice: Slice): WalletMessage[] {
  const result: WalletMessage[] = [];
  while (slice.remainingBits > 0 || slice.remainingRefs > 0) {
    const mode = slice.loadUint(8);
    const message = slice.loadRef();
    loadMessageRelaxed(foldedCell(message).beginParse());
    result.push({ mode, message });
  }
  return result;
}

function empty(family: WalletFamily): Omit<SignedBody, 'signature' | 'signedHash'> {
  return {
    family,
    internal: false,
    walletId: undefined,
    seqno: undefined,
    validUntil: undefined,
    queryId: undefined,
    messages: [],
    otherActions: false,
  };
}
