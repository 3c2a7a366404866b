import { beginCell, storeMessage } from '@ton/core';
import type { Address, Cell, StateInit } from '@ton/core';

/** An internal message in the name of a contract that sends it only in this wish: the local network does that. */
export interface InternalMessage {
  kind: 'internal';
  /** The message as a transaction would send it. */
  cell: Cell;
  source: Address;
  destination: Address;
  /** Nanocoins. */
  value: bigint;
  bounce: boolean;
  body: Cell;
  init: StateInit | undefined;
  /** Nobody signs it. */
  signed: undefined;
  /** Hash of the cell, lower-case hex. The network sets a time of its own, so what is sent has another one. */
  hash: string;
}

/**
 * The message from one contract to another.
 * @param value nanocoins
 */
export function internalMessage(
  message: Pick<InternalMessage, 'source' | 'destination' | 'value' | 'bounce' | 'body' | 'init'>,
): InternalMessage {
  const { source, destination, value, bounce, body, init } = message;
  const cell = beginCell()
    .store(
      storeMessage({
        info: {
          type: 'internal',
          ihrDisabled: true,
          bounce,
          bounced: false,
          src: source,
          dest: destination,
          value: { coins: value },
          ihrFee: 0n,
          forwardFee: 0n,
          createdLt: 0n,
          createdAt: 0,
        },
        init: init ?? null,
        body,
      }),
    )
    .endCell();
  return { ...message, kind: 'internal', cell, signed: undefined, hash: cell.hash().toString('hex') };
}
