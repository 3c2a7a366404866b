import type { Cell } from '@ton/core';

/**
 * The in-message of a transaction as its very cell: serializing a parsed message again can change bits, and with them
 * fees and hashes. Undefined if there is none (tick-tock).
 *
 * @throws Error if the cell is not a transaction
 */
export function pastMessage(transaction: Cell): Cell | undefined {
  // transaction$0111 … ^[ in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any)) ]
  const messages = transaction.refs[0]?.beginParse();
  return messages?.loadBit() === true ? messages.loadRef() : undefined;
}
