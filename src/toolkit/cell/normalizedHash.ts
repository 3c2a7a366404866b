import { beginCell, storeMessage } from '@ton/core';
import type { Cell, CommonMessageInfoExternalIn } from '@ton/core';

/**
 * TEP-467: the hash of an external message without source, import fee, and state init, with its body in a reference.
 * Wallets and indexers find a message and its trace by it, whatever way it was serialized.
 * @returns lowercase hex
 */
export function normalizedHash({ info, body }: { info: CommonMessageInfoExternalIn; body: Cell }): string {
  const plain = { ...info, src: undefined, importFee: 0n };
  return beginCell()
    .store(storeMessage({ info: plain, init: null, body }, { forceRef: true }))
    .endCell()
    .hash()
    .toString('hex');
}
