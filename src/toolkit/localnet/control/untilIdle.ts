import type { LocalChain } from '../chain/localChain';
import type { Clock } from '../../time';
import { systemClock } from '../../time';

/** Milliseconds between checks. */
const pause = 10;

/** Resolves when nothing is left to do, or after this many milliseconds. */
export async function untilIdle(
  chain: LocalChain,
  milliseconds: number,
  clock: Clock = systemClock,
): Promise<void> {
  const end = clock.monotonic() + milliseconds;
  while (!chain.isIdle && clock.monotonic() < end) {
    await clock.sleep(pause);
  }
}
