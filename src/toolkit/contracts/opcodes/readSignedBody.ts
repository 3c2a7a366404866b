import type { Cell, Slice } from '@ton/core';
import { beginCell, loadMessageRelaxed } from '@ton/core';
import { loadFolded } from '../../cell/loadFolded';
import { readDictionary } from '../../cell/tokenContent';
import { WorkBudget } from '../../base/limits';
import type { WalletFamily } from './walletCodes';
import { actionTags, walletTags } from './walletCodes';

/** Expiry time of a wallet request that never expires. */
export const neverExpires = 0xffffffff;

/** Actions of one transaction. */
const mostActions = 255;

/** One message in a wallet request. */
export interface WalletMessage {
  /** Send mode, as in SENDRAWMSG. */
  mode: number;
  message: Cell;
}

/** What a request does to a wallet itself: who else may give it orders. */
export type WalletChange =
  /** An extension (v5) or plugin (v4): from then on it may send all that the wallet has. Raw, lowercase. */
  | { kind: 'add' | 'remove'; account: string }
  /** Whether the wallet takes signed requests; v5 only. */
  | { kind: 'signatures'; isAllowed: boolean };

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
  /** v4 `op` other than 0 (plugins), v5 extended actions: in their order. */
  changes: WalletChange[];
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
      return op === 0
        ? { ...head, messages: pairs(inner) }
        : { ...head, changes: [readPluginRequest(inner, op)] };
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
function readPluginRequest(slice: Slice, op: number): WalletChange {
  if (op > 3) {
    throw new Error('wallet v4 has no such request');
  }
  const workchain = slice.loadInt(8);
  if (op === 1) {
    slice.loadCoins();
    const init = slice.loadRef();
    slice.loadRef();
    return { kind: 'add', account: `${workchain}:${init.hash().toString('hex')}` };
  }
  const account = `${workchain}:${slice.loadBuffer(32).toString('hex')}`;
  slice.loadCoins();
  slice.skip(64);
  return { kind: op === 2 ? 'add' : 'remove', account };
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
  const orders = family === 'v5' ? actionsOfV5(slice) : actionsOfBeta(slice);
  if (slice.remainingBits !== 512) {
    return undefined;
  }
  return {
    ...empty(family),
    internal: code === walletTags.signedInternal,
    walletId,
    validUntil,
    seqno,
    ...orders,
    signature: slice.loadBuffer(64),
    signedHash: unsigned.endCell().hash(),
  };
}

/** What a wallet is told to do. */
export type WalletOrders = Pick<SignedBody, 'messages' | 'changes'>;

/**
 * Wallet v5: a list of messages, then a list of changes, whose first entry is in the slice and whose others are in a
 * chain of references. Reads up to the signature.
 */
export function actionsOfV5(slice: Slice): WalletOrders {
  const list = slice.loadMaybeRef();
  const changes: WalletChange[] = [];
  let part: Slice | undefined = slice.loadBit() ? slice : undefined;
  while (part !== undefined) {
    if (changes.length === mostActions) {
      throw new Error('too many actions');
    }
    changes.push(changeOfV5(part));
    part = part.remainingRefs > 0 ? part.loadRef().beginParse() : undefined;
  }
  return { messages: list === null ? [] : sendActions(list), changes };
}

function changeOfV5(slice: Slice): WalletChange {
  const op = slice.loadUint(8);
  switch (op) {
    case 2:
    case 3:
      return { kind: op === 2 ? 'add' : 'remove', account: slice.loadAddress().toRawString() };
    case 4:
      return { kind: 'signatures', isAllowed: slice.loadBit() };
    default:
      throw new Error('wallet v5 has no such action');
  }
}

/**
 * The beta puts one bit before each action: it says whether it is a change, after which more actions follow in a
 * reference, or the list of messages, which is the last.
 */
function actionsOfBeta(slice: Slice): WalletOrders {
  const changes: WalletChange[] = [];
  for (let part = slice; ; part = part.loadRef().beginParse()) {
    if (!part.loadBit()) {
      return { messages: sendActions(part.loadRef()), changes };
    }
    if (changes.length === mostActions) {
      throw new Error('too many actions');
    }
    changes.push(changeOfBeta(part));
    if (part.remainingRefs === 0) {
      return { messages: [], changes };
    }
  }
}

function changeOfBeta(slice: Slice): WalletChange {
  const op = slice.loadUint(32);
  switch (op) {
    case 0x20cbb95a:
      return { kind: 'signatures', isAllowed: slice.loadBit() };
    case 0x1c40db9f:
    case 0x5eaef4a4:
      return { kind: op === 0x1c40db9f ? 'add' : 'remove', account: slice.loadAddress().toRawString() };
    default:
      throw new Error('wallet v5 beta has no such action');
  }
}

/** OutList (block.tlb) from its end to its beginning; throws on anything but action_send_msg. */
function sendActions(list: Cell): WalletMessage[] {
  const result: WalletMessage[] = [];
  let current = list;
  while (current.bits.length > 0 || current.refs.length > 0) {
    const slice = current.beginParse();
    current = slice.loadRef();
    if (slice.loadUint(32) !== actionTags.sendMessage || result.length === mostActions) {
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
  loadFolded(message, loadMessageRelaxed);
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
    loadFolded(message, loadMessageRelaxed);
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
    changes: [],
  };
}
