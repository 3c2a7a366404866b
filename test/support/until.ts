import { setTimeout } from 'node:timers/promises';
import { pace } from '../../scripts/lib/pace.mjs';

/**
 * Looks until something is so, for what another process or thread does: there is no clock to give it. It fails after 30
 * seconds, or `ms`, and later on a slow machine.
 * @param look returns what was waited for; undefined, null and false are not yet
 * @param what the end of "never came: "
 */
export async function until<T>(
  look: () => T | Promise<T>,
  what: string | (() => string) = 'what a test waits for',
  ms = 30_000,
): Promise<Exclude<T, undefined | null | false>> {
  for (const end = performance.now() + ms * pace; ; await setTimeout(5)) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) {
      return found as Exclude<T, undefined | null | false>;
    }
    if (performance.now() > end) {
      throw new Error(`never came: ${typeof what === 'string' ? what : what()}`);
    }
  }
}
