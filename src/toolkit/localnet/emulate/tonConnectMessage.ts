import type { Cell, MessageRelaxed, Builder } from '@ton/core';
import {
  Address,
  beginCell,
  Cell as CoreCell,
  external,
  loadStateInit,
  storeMessage,
  storeMessageRelaxed,
} from '@ton/core';
import { ApiError } from '../api/apiError';
import { readWallet } from '../api/readWallet';
import type { WalletFacts } from '../api/readWallet';
import type { LocalChain } from '../chain/localChain';
import { accountNotFound } from './emulateMessage';
import { sendActions, walletSendMode } from '../../contracts/opcodes/sendActions';
import { walletTags } from '../../contracts/opcodes/walletCodes';
import { loadFolded } from '../../cell/loadFolded';

/** One message of a TON Connect request. */
export interface TonConnectMessage {
  /** In any form; the user-friendly form determines whether it bounces. */
  address: string;
  /** Nanocoins, decimal. */
  amount: string;
  /** The body, BoC in base64. */
  payload?: string | undefined;
  /** BoC in base64. */
  stateInit?: string | undefined;
}

/** Default validity of a request, in seconds. */
const usualValidity = 60;

/**
 * The external message (BoC) that the wallet would send for a TON Connect request, with an empty signature: it runs
 * only without signature checks.
 * @param from raw, lowercase
 * @throws ApiError 500 if there is no such account, or it is not a supported wallet
 */
export async function tonConnectMessage(
  chain: LocalChain,
  from: string,
  messages: readonly TonConnectMessage[],
  validUntil: number | undefined,
): Promise<Buffer> {
  await chain.load(from);
  const account = chain.ledger.accounts.get(from);
  if (account === undefined || account.facts.status === 'nonexist') {
    throw accountNotFound();
  }
  const wallet = readWallet(account);
  const layout = wallet === null ? undefined : layouts[wallet.type];
  if (wallet === null || layout === undefined) {
    const what = wallet === null ? 'not a wallet of a known version' : `a ${wallet.type}`;
    throw new ApiError(500, `Failed to compose external message: the account is ${what}`);
  }
  if (messages.length > layout.most) {
    throw new ApiError(
      500,
      `Failed to compose external message: a ${wallet.type} sends at most ${layout.most} messages at once`,
    );
  }
  const sent = messages.map(internalMessage);
  const body = layout.body(wallet, sent, validUntil ?? chain.now() + usualValidity);
  const message = external({ to: Address.parseRaw(from), body });
  return beginCell().store(storeMessage(message)).endCell().toBoc();
}

interface Layout {
  /** Maximum messages per request. */
  most: number;
  body(wallet: WalletFacts, messages: readonly Cell[], validUntil: number): Cell;
}

const emptySignature = Buffer.alloc(64);

const v1: Layout = {
  most: 1,
  body: ({ seqno }, messages) =>
    withMessages(beginCell().storeBuffer(emptySignature).storeUint(seqno, 32), messages),
};
const v2: Layout = {
  most: 4,
  body: ({ seqno }, messages, validUntil) =>
    withMessages(
      beginCell().storeBuffer(emptySignature).storeUint(seqno, 32).storeUint(validUntil, 32),
      messages,
    ),
};
const v3: Layout = {
  most: 4,
  body: (wallet, messages, validUntil) => withMessages(withWalletId(wallet, validUntil), messages),
};
const v4: Layout = {
  most: 4,
  body: (wallet, messages, validUntil) =>
    withMessages(withWalletId(wallet, validUntil).storeUint(0, 8), messages),
};
const v5: Layout = {
  most: 255,
  body: ({ walletId = 0, seqno }, messages, validUntil) =>
    beginCell()
      .storeUint(walletTags.signedExternal, 32)
      .storeUint(walletId, 32)
      .storeUint(validUntil, 32)
      .storeUint(seqno, 32)
      .storeMaybeRef(sendActions(messages))
      .storeBit(false)
      .storeBuffer(emptySignature)
      .endCell(),
};

/** By the services' name of the type. */
const layouts: Readonly<Record<string, Layout>> = {
  'wallet v1 r1': v1,
  'wallet v1 r2': v1,
  'wallet v1 r3': v1,
  'wallet v2 r1': v2,
  'wallet v2 r2': v2,
  'wallet v3 r1': v3,
  'wallet v3 r2': v3,
  'wallet v4 r1': v4,
  'wallet v4 r2': v4,
  'wallet v5 r1': v5,
};

function withWalletId({ walletId = 0, seqno }: WalletFacts, validUntil: number): Builder {
  return beginCell()
    .storeBuffer(emptySignature)
    .storeUint(walletId, 32)
    .storeUint(validUntil, 32)
    .storeUint(seqno, 32);
}

function withMessages(builder: Builder, messages: readonly Cell[]): Cell {
  for (const message of messages) {
    builder.storeUint(walletSendMode, 8).storeRef(message);
  }
  return builder.endCell();
}

function internalMessage({ address, amount, payload, stateInit }: TonConnectMessage, index: number): Cell {
  const { dest, bounce } = destination(address, index);
  const init = stateInit === undefined ? null : parse(stateInit, 'stateInit', index);
  const body = payload === undefined ? CoreCell.EMPTY : parse(payload, 'payload', index);
  const message: MessageRelaxed = {
    info: {
      type: 'internal',
      ihrDisabled: true,
      bounce,
      bounced: false,
      dest,
      value: { coins: BigInt(amount) },
      ihrFee: 0n,
      forwardFee: 0n,
      createdLt: 0n,
      createdAt: 0,
    },
    init: init === null ? null : loadInit(init, index),
    body,
  };
  return beginCell().store(storeMessageRelaxed(message)).endCell();
}

function loadInit(cell: Cell, index: number): ReturnType<typeof loadStateInit> {
  try {
    return loadFolded(cell, loadStateInit);
  } catch {
    throw invalid(`message stateInit at index ${index}: not a StateInit`);
  }
}

function destination(text: string, index: number): { dest: Address; bounce: boolean } {
  try {
    if (Address.isFriendly(text)) {
      const { address, isBounceable } = Address.parseFriendly(text);
      return { dest: address, bounce: isBounceable };
    }
    return { dest: Address.parse(text), bounce: true };
  } catch {
    throw invalid(`message address at index ${index}`);
  }
}

function parse(text: string, name: string, index: number): Cell {
  try {
    return CoreCell.fromBase64(text);
  } catch {
    throw invalid(`message ${name} at index ${index}: not a bag of cells`);
  }
}

function invalid(what: string): ApiError {
  return new ApiError(400, `invalid request: invalid ${what}`);
}
