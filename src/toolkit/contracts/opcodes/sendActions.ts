import { beginCell, SendMode } from '@ton/core';
import type { Cell } from '@ton/core';
import { actionTags } from './walletCodes';

/**
 * How wallets send: fees are paid on top of the value; a message that the balance cannot cover is skipped while the
 * seqno still increases.
 */
export const walletSendMode = SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS;

/** The list of actions with which a wallet v5 sends messages, in this order (block.tlb, OutList). */
export function sendActions(messages: readonly Cell[]): Cell {
  let list = beginCell().endCell();
  for (const message of messages) {
    list = beginCell()
      .storeRef(list)
      .storeUint(actionTags.sendMessage, 32)
      .storeUint(walletSendMode, 8)
      .storeRef(message)
      .endCell();
  }
  return list;
}
