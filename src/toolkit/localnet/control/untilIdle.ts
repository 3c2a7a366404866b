import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalChain } from '../chain/localChain';

/** Milliseconds between two looks. */
const pause = 10;

/** Resolves when nothing is left to do, or after so many milliseconds. */
export async function untilIdle(chain: LocalChain, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!chain.isIdle && performance.now() < end) {
    await sleep(pause);
  }
}
