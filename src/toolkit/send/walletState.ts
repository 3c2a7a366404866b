import type { Cell } from '@ton/core';
import { walletCodes } from '../contracts/opcodes/walletCodes';
import type { WalletCode, WalletFamily } from '../contracts/opcodes/walletCodes';

/** A known wallet's data. */
export interface WalletState {
  wallet: WalletCode;
  /** The seqno required of the next request; undefined for wallets without one. */
  seqno: number | undefined;
  /** 32 bits; 80 bits for the v5 beta. */
  walletId: bigint | undefined;
  /** 32 bytes. */
  publicKey: Buffer;
  /** v5: false if only extensions may act. */
  signatureAllowed: boolean;
}

/** The state of a known wallet; undefined for other code. Data layouts: the wallets' published sources. */
export function readWalletState(code: Cell, data: Cell): WalletState | undefined {
  const wallet = walletCodes.get(code.hash().toString('hex'));
  if (wallet === undefined) {
    return undefined;
  }
  const slice = data.beginParse();
  const isV5 = wallet.family === 'v5' || wallet.family === 'v5-beta';
  try {
    // The beta stores one number of 33 bits, whose first is never set.
    const flag = isV5 ? slice.loadBit() : true;
    const seqno = slice.loadUint(32);
    const idBits = walletIdBits[wallet.family];
    const walletId = idBits === 0 ? undefined : slice.loadUintBig(idBits);
    const signatureAllowed = wallet.family !== 'v5' || flag;
    return { wallet, seqno, walletId, publicKey: slice.loadBuffer(32), signatureAllowed };
  } catch {
    return undefined;
  }
}

const walletIdBits: Record<WalletFamily, number> = {
  v1: 0,
  v2: 0,
  v3: 32,
  v4: 32,
  v5: 32,
  'v5-beta': 80,
  'highload-v2': 0,
  'highload-v3': 0,
};
