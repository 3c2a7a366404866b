import type { Page } from 'playwright-core';
import { attempt } from './patience';

/**
 * Picks an entry of the context menu that is opening.
 * @returns false if the menu went before it was clicked: a view that is read anew takes the focus from it
 */
export async function pickFromMenu(page: Page, entry: string | RegExp): Promise<boolean> {
  const row = page.locator('.monaco-menu .action-menu-item', { hasText: entry }).first();
  await row.waitFor();
  let isClicked = false;
  // A menu ignores a click that comes right after it has opened.
  while (await row.isVisible()) {
    isClicked = await row.click({ timeout: attempt(2000) }).then(
      () => true,
      () => false,
    );
    await row.waitFor({ state: 'hidden', timeout: attempt(300) }).catch(() => undefined);
  }
  return isClicked;
}
