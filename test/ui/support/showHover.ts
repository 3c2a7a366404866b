import type { Locator } from 'playwright-core';
import { attempt } from './patience';

/** Milliseconds that one attempt may take. */
const patience = attempt(5_000);
const attempts = 4;

/**
 * Moves the pointer over `target` until `hover` is shown. A document that has just opened is laid out again when its
 * links are known: a pointer that already rests there is not noticed.
 *
 * @param place a point of the target; default: its middle
 */
export async function showHover(
  target: Locator,
  hover: Locator,
  place?: { x: number; y: number },
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await target.hover(place === undefined ? {} : { position: place });
    try {
      await hover.waitFor({ timeout: patience });
      return;
    } catch (error) {
      if (attempt === attempts) {
        throw error;
      }
      await target.page().mouse.move(0, 0);
    }
  }
}
