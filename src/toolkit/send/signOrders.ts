import { Address, beginCell, external, internal, storeMessage, storeMessageRelaxed } from '@ton/core';
import type { Builder, Cell } from '@ton/core';
import { fromCoreCell } from '../cell/readBoc';
import { WorkbenchError } from '../base/errors';
import type { LocalAccount } from '../accounts/localAccount';
import { neverExpires } from '../contracts/opcodes/readSignedBody';
import { sendActions, walletSendMode } from '../contracts/opcodes/sendActions';
import { walletTags } from '../contracts/opcodes/walletCodes';
import type { DestinationState } from './preparedSend';
import { readExternalMessage } from './externalMessage';
import type { ExternalMessage } from './externalMessage';
import { readWalletState } from './walletState';
import type { WalletState } from './walletState';
import { signEd25519 } from '../base/signEd25519';

/** An internal message, not sent yet, as a cell: an order for a wallet. */
export function internalCell(message: Parameters<typeof internal>[0]): Cell {
  return beginCell()
    .store(storeMessageRelaxed(internal(message)))
    .endCell();
}

/**
 * The external message with which a wallet of the local network sends messages, in this order. Its key is public
 * by design; no other key is used here.
 *
 * @param orders messages as cells, as many as `mostOrders` allows
 * @param account the wallet's current state
 * @param validUntil Unix seconds by the network's clock, which may be far from the machine's; by default without end
 * @throws WorkbenchError `wallet-not-usable` (input) if the account is not the wallet that the key belongs to
 */
export function signOrders(
  orders: readonly Cell[],
  wallet: LocalAccount,
  account: DestinationState,
  validUntil = neverExpires,
): ExternalMessage {
  const body = signBody(orders, wallet, account, { validUntil, tag: walletTags.signedExternal });
  const sent = external({ to: Address.parseRaw(wallet.address), body });
  return readExternalMessage(fromCoreCell(beginCell().store(storeMessage(sent)).endCell()));
}

/**
 * The internal message to a wallet v5 with which anyone can make it send messages, in this order: a relayer attaches coins to it
 * and pays for the gas. It carries no coins yet.
 *
 * @param account the wallet's current state
 * @param validUntil Unix seconds by the network's clock
 * @throws WorkbenchError `wallet-not-usable` (input) if the account is not the wallet that the key belongs to, or not a v5
 */
export function signForRelayer(
  orders: readonly Cell[],
  wallet: LocalAccount,
  account: DestinationState,
  validUntil: number,
): Cell {
  if (wallet.kind !== 'v5r1') {
    throw notUsableError(wallet.name, `is a ${wallet.kind} wallet, which takes no signed internal messages`);
  }
  const body = signBody(orders, wallet, account, { validUntil, tag: walletTags.signedInternal });
  return internalCell({ to: Address.parseRaw(wallet.address), value: 0n, bounce: true, body });
}

interface SignedHead {
  validUntil: number;
  /** What a wallet v5's request begins with. */
  tag: number;
}

function signBody(
  orders: readonly Cell[],
  wallet: LocalAccount,
  { code, data, status }: DestinationState,
  head: SignedHead,
): Cell {
  const state = code === undefined || data === undefined ? undefined : readWalletState(code, data);
  const key = Buffer.from(wallet.publicKey, 'hex');
  if (state?.publicKey.equals(key) !== true) {
    throw notUsableError(wallet.name, status === 'active' ? 'holds another contract now' : `is ${status}`);
  }
  return signRequest(state, orders, head, Buffer.from(wallet.secretKey, 'hex'), wallet.name);
}

/** Layouts: the published sources of wallet v4 r2 (signature first) and v5 r1 (signature last). */
function signRequest(
  state: WalletState,
  orders: readonly Cell[],
  { validUntil, tag }: SignedHead,
  secretKey: Buffer,
  name: string,
): Cell {
  const { family } = state.wallet;
  if (family !== 'v4' && family !== 'v5') {
    throw notUsableError(name, `is a ${state.wallet.name}, which is not supported here`);
  }
  const head = (builder: Builder): Builder =>
    builder
      .storeUint(state.walletId ?? 0n, 32)
      .storeUint(validUntil, 32)
      .storeUint(state.seqno ?? 0, 32);
  if (family === 'v4') {
    const simpleSend = 0;
    const unsigned = head(beginCell()).storeUint(simpleSend, 8);
    for (const order of orders) {
      unsigned.storeUint(walletSendMode, 8).storeRef(order);
    }
    return beginCell()
      .storeBuffer(signEd25519(unsigned.endCell().hash(), secretKey))
      .storeBuilder(unsigned)
      .endCell();
  }
  const unsigned = head(beginCell().storeUint(tag, 32)).storeMaybeRef(sendActions(orders)).storeBit(false);
  return beginCell()
    .storeBuilder(unsigned)
    .storeBuffer(signEd25519(unsigned.endCell().hash(), secretKey))
    .endCell();
}

function notUsableError(name: string, reason: string): WorkbenchError {
  return new WorkbenchError({
    code: 'wallet-not-usable',
    kind: 'input',
    message: `${name} cannot sign here: the account ${reason}.`,
    hint: "Choose another wallet with from, or send in a contract's name with as.",
  });
}
