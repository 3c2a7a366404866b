import { Address, Cell, beginCell } from '@ton/core';
import type { LightCell } from '../cell/light/lightCell';
import { ordinaryCell, writeLightCell } from '../cell/light/lightCell';
import { opcodeOf } from '../contracts/opcodes/opcodes';
import type { PaymentText } from '../webhook/payload/claimedReference';
import { paymentComment } from '../webhook/payload/claimedReference';

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

/** Bytes that fit into a cell. */
const bytesPerCell = 127;
/** Opcode of a text comment. */
const textOpcode = Buffer.alloc(4);

/**
 * Both comments and the reference as a text comment, which wallets show before they sign. Every payment makes one, so
 * they are cells that are built and hashed fast.
 */
export function coinBody(text: PaymentText): LightCell {
  const bytes = Buffer.concat([textOpcode, Buffer.from(paymentComment(text), 'utf8')]);
  let tail: LightCell[] = [];
  for (let at = bytesPerCell * Math.floor((bytes.length - 1) / bytesPerCell); at >= 0; at -= bytesPerCell) {
    const data = bytes.subarray(at, at + bytesPerCell);
    tail = [ordinaryCell(data, data.length * 8, tail)];
  }
  return tail[0] as LightCell;
}

/** The transfer (TEP-74) that carries the same text as its forward payload, in a reference. */
export function jettonBody({ queryId, units, sender, recipient, ...text }: JettonPayment): {
  body: Cell;
  forward: Cell;
} {
  const forward = Cell.fromBoc(writeLightCell(coinBody(text)))[0] as Cell;
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
