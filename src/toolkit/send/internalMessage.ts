import { beginCell, storeMessage } from '@ton/core';
import type { Address, Cell, StateInit } from '@ton/core';

/** An internal message forged in a contract's name. Only the local network accepts it. */
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
  /** Not signed. */
  signed: undefined;
  /** Hash of the cell, lowercase hex. The network sets its own time, so the sent message has a different hash. */
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
