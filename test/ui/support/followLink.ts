import type { Locator } from 'playwright-core';
import { attempt } from './patience';

/**
 * Follows a link in an editor until `shown` is visible, as a person does: with the key held, once the link shows that it
 * would be followed. The editor draws the line of a link anew while it looks for more links, and a click in that moment
 * does nothing.
 */
export async function followLink(link: Locator, shown: Locator): Promise<void> {
  const { keyboard, mouse } = link.page();
  for (let tries = 5; tries > 0; tries -= 1) {
    await keyboard.down('ControlOrMeta');
    try {
      await link.hover({ timeout: attempt(4_000) });
      await link
        .page()
        .locator('.detected-link-active')
        .first()
        .waitFor({ timeout: attempt(2_000) });
      await mouse.down();
      await mouse.up();
      await shown.waitFor({ timeout: attempt(6_000) });
      return;
    } catch {
      await mouse.move(0, 0);
    } finally {
      await keyboard.up('ControlOrMeta');
    }
  }
  await shown.waitFor();
}
