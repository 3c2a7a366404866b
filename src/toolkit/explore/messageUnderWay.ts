import { Cell, beginCell, loadMessage, storeMessage } from '@ton/core';
import type { LightCell } from '../cell/light/lightCell';
import { writeLightCell } from '../cell/light/lightCell';
import { readMessage } from '../cell/light/readMessage';
import { loadFolded } from '../cell/loadFolded';

/** An internal message that was sent and not yet delivered. */
export interface MessageUnderWay {
  /** BoC, base64, with the same cells as in the sender's transaction. */
  boc: string;
  /** Of the message, lowercase hex. */
  hash: string;
  /** Raw addresses, lowercase. */
  source: string;
  destination: string;
  /** Nanocoins that it carries, without fees. */
  value: bigint;
  /** The value, and what is left of its forwarding fees; nanocoins. */
  coins: bigint;
  isBounced: boolean;
  /** Hash of the message without its times: equal for messages that do the same at any time. */
  content: string;
  /** The concurrent flow that it belongs to, counted from 0. */
  flow: number;
}

/**
 * An internal message, ready to be delivered.
 *
 * @param flow the concurrent flow that it belongs to
 * @returns undefined for a message to the outside, which no contract gets
 */
export function readMessageUnderWay(cell: LightCell, flow: number): MessageUnderWay | undefined {
  const { kind, source, destination, bounced } = readMessage(cell);
  if (kind !== 'internal' || source === null || destination === null) {
    return undefined;
  }
  const boc = writeLightCell(cell);
  const [root = Cell.EMPTY] = Cell.fromBoc(boc);
  const message = loadFolded(root, loadMessage);
  const { info } = message;
  if (info.type !== 'internal') {
    return undefined;
  }
  const timeless = { ...message, info: { ...info, createdLt: 0n, createdAt: 0 } };
  return {
    boc: boc.toString('base64'),
    hash: cell.hexHash,
    source,
    destination,
    value: info.value.coins,
    coins: info.value.coins + info.forwardFee + info.ihrFee,
    isBounced: bounced,
    content: beginCell().store(storeMessage(timeless)).endCell().hash().toString('hex'),
    flow,
  };
}
