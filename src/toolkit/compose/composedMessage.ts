import type { Address, Cell } from '@ton/core';

/** Who sends it: a wallet of the local network, by name, or any contract, in whose name the local network sends. */
type ComposedSender = { kind: 'wallet'; name: string } | { kind: 'contract'; address: Address };

/** An internal message as it was composed; nothing is signed yet. */
export interface ComposedMessage {
  sender: ComposedSender;
  to: Address;
  /** Nanocoins. */
  value: bigint;
  /** Whether what a failing contract leaves over comes back. */
  bounce: boolean;
  body: Cell;
  /** The message of the receiver that the line named. */
  messageName?: string;
  /** Code and data for a contract that this message deploys. */
  init: { code: Cell; data: Cell } | undefined;
}
