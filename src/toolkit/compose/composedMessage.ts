import type { Address, Cell } from '@ton/core';

/**
 * The sender: a wallet of the local network, by name, or any contract, in whose name the local network sends.
 */
type ComposedSender = { kind: 'wallet'; name: string } | { kind: 'contract'; address: Address };

/** An internal message as composed, not signed yet. */
export interface ComposedMessage {
  sender: ComposedSender;
  to: Address;
  /** Nanocoins. */
  value: bigint;
  /** Whether a failing contract returns the remaining value. */
  bounce: boolean;
  body: Cell;
  /** The receiver's message struct named in the line. */
  messageName?: string;
  /** Code and data for a contract that this message deploys. */
  init: { code: Cell; data: Cell } | undefined;
}
