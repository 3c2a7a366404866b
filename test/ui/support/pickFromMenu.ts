import type { Page } from 'playwright-core';
import { attempt } from './patience';

/** Picks an entry of the context menu that is opening. */
export async function pickFromMenu(page: Page, entry: string | RegExp): Promise<void> {
  const row = page.locator('.monaco-menu .action-menu-item', { hasText: entry }).first();
  await row.waitFor();
  // A menu ignores a click that comes right after it has opened.
  while (await row.isVisible()) {
    await row.click({ timeout: attempt(2000) }).catch(() => undefined);
    await row.waitFor({ state: 'hidden', timeout: attempt(300) }).catch(() => undefined);
  }
}
