import { Cell } from '@ton/core';
import { opcodeOf } from '../opcodes/opcodes';

/** What reached a jetton wallet. */
export interface JettonArrival {
  /** Base units. */
  units: bigint;
  /** Raw address of the owner who sent it; undefined for a mint without one. */
  from: string | undefined;
  /** Hash of the forward payload: 64 lowercase hex digits. */
  forwardHash: string;
}

const internalTransfer = opcodeOf('jetton_internal_transfer');

/** The internal transfer (TEP-74) in a body; undefined if it is something else. */
export function readJettonArrival(body: string): JettonArrival | undefined {
  try {
    const slice = Cell.fromBase64(body).beginParse();
    if (slice.loadUint(32) !== internalTransfer) {
      return undefined;
    }
    slice.skip(64);
    const units = slice.loadCoins();
    const from = slice.loadMaybeAddress()?.toRawString();
    slice.loadMaybeAddress();
    slice.loadCoins();
    const payload = slice.loadBit() ? slice.loadRef() : slice.asCell();
    return { units, from, forwardHash: payload.hash().toString('hex') };
  } catch {
    return undefined;
  }
}
