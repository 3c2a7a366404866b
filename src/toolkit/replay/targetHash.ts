import { Cell } from '@ton/core';
import type { ReplayInputs } from './replayInputs';

/** The hash of the transaction that a replay is of: lowercase hex. */
export function targetHash({ target }: Pick<ReplayInputs, 'target'>): string {
  return Cell.fromBase64(target.boc).hash().toString('hex');
}
