import { Address, beginCell } from '@ton/core';
import type { Cell } from '@ton/core';
import { opcodeOf } from '../opcodes/opcodes';

/** What the body of a payment says. */
export interface PaymentText {
  reference: string;
  commentToRecipient?: string | undefined;
  commentToSender?: string | undefined;
}

/** A jetton transfer of a payment. */
export interface JettonPayment extends PaymentText {
  queryId: bigint;
  /** Base units. */
  units: bigint;
  /** Raw addresses. */
  sender: string;
  recipient: string;
}

/** Nanocoins forwarded with a jetton transfer: the least that makes the recipient's wallet notify its owner. */
const forwardedCoins = 1n;

/** Both comments and the reference as a text comment, which wallets show before they sign. */
export function coinBody({ reference, commentToRecipient, commentToSender }: PaymentText): Cell {
  const lines = [commentToRecipient, commentToSender, `Reference: ${reference}`];
  const text = lines.filter((line) => line !== undefined && line !== '').join('\n');
  return beginCell().storeUint(0, 32).storeStringTail(text).endCell();
}

/** The transfer (TEP-74) that carries the same text as its forward payload, in a reference. */
export function jettonBody({ queryId, units, sender, recipient, ...text }: JettonPayment): {
  body: Cell;
  forward: Cell;
} {
  const forward = coinBody(text);
  return { body: jettonTransfer({ queryId, units, sender, recipient, forward }), forward };
}

/** The same transfer with any amount. */
export function jettonTransfer({
  queryId,
  units,
  sender,
  recipient,
  forward,
}: Omit<JettonPayment, keyof PaymentText> & { forward: Cell }): Cell {
  return beginCell()
    .storeUint(opcodeOf('jetton_transfer'), 32)
    .storeUint(queryId, 64)
    .storeCoins(units)
    .storeAddress(Address.parseRaw(recipient))
    .storeAddress(Address.parseRaw(sender))
    .storeMaybeRef(null)
    .storeCoins(forwardedCoins)
    .storeBit(true)
    .storeRef(forward)
    .endCell();
}
