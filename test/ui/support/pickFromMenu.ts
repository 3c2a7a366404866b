import type { Page } from 'playwright-core';

/** Picks an entry of the context menu that is opening. */
export async function pickFromMenu(page: Page, entry: string | RegExp): Promise<void> {
  const row = page.locator('.monaco-menu .action-menu-item', { hasText: entry }).first();
  await row.waitFor();
  // A menu ignores a click that comes right after it has opened.
  while (await row.isVisible()) {
    await row.click({ timeout: 2000 }).catch(() => undefined);
    await row.waitFor({ state: 'hidden', timeout: 300 }).catch(() => undefined);
  }
}
