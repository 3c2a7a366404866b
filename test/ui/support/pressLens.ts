import type { Locator } from 'playwright-core';
import { attempt } from './patience';

/** Milliseconds that a lens stays when its document has been shown for long enough. */
const stays = 500;

/** Waits until a lens is not being replaced. */
async function settled(lens: Locator): Promise<void> {
  for (let looks = 10; looks > 0; looks -= 1) {
    const element = await lens.elementHandle({ timeout: attempt(4_000) });
    await lens.page().waitForTimeout(stays);
    if ((await element?.evaluate(({ isConnected }) => isConnected)) === true) {
      return;
    }
  }
}

/**
 * Clicks a lens until `shown` is visible, or gone. VS Code replaces the lenses of a document that it has just shown, and a click
 * on one that is being replaced does nothing.
 *
 * @param patience milliseconds until it is clicked again: what a click has started is started twice by another
 */
export async function pressLens(
  lens: Locator,
  shown: Locator,
  state: 'visible' | 'detached' = 'visible',
  patience = 15_000,
): Promise<void> {
  for (let tries = 4; tries > 0; tries -= 1) {
    try {
      await settled(lens);
      // What it opens may cover it by now.
      await lens.click({ timeout: attempt(4_000) });
      await shown.waitFor({ state, timeout: attempt(patience) });
      return;
    } catch {
      // Once more.
    }
  }
  await shown.waitFor({ state });
}
