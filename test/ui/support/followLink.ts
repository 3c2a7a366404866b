import type { Locator } from 'playwright-core';

/**
 * Follows a link in an editor until `shown` is visible. The editor draws the line of a link anew while it looks for more
 * links, and a click in that moment does nothing.
 */
export async function followLink(link: Locator, shown: Locator): Promise<void> {
  for (let tries = 4; tries > 0; tries -= 1) {
    try {
      await link.click({ modifiers: ['ControlOrMeta'], timeout: 4_000 });
      await shown.waitFor({ timeout: 6_000 });
      return;
    } catch {
      // Once more.
    }
  }
  await shown.waitFor();
}
