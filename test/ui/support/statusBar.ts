import type { Locator, Page } from 'playwright-core';

/** The line at the bottom of the window. */
export class StatusBar {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The item whose text fits. */
  item(text: string | RegExp): Locator {
    return this.#page.locator('.statusbar-item:visible').filter({ hasText: text }).first();
  }

  async texts(): Promise<string[]> {
    const texts = await this.#page.locator('.statusbar-item:visible').allInnerTexts();
    return texts.map((text) => text.trim()).filter((text) => text !== '');
  }

  async click(text: string | RegExp): Promise<void> {
    await this.item(text).locator('a').first().click();
  }
}
