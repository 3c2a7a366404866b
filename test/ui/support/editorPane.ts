import type { FrameLocator, Page } from 'playwright-core';

/** The editor area: tabs, the text in the active editor, and webviews. */
export class EditorPane {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The titles of the open tabs. */
  async titles(): Promise<string[]> {
    return this.#page.locator('.editor-group-container .tab .label-name').allTextContents();
  }

  /** Waits until the active editor has this title, or one that the pattern fits. */
  async waitForTitle(title: string | RegExp): Promise<void> {
    await this.#page
      .locator('.editor-group-container.active .tab.active .label-name', { hasText: title })
      .first()
      .waitFor();
  }

  /** The whole text of the active editor, by copying it: the page holds only the lines that are in sight. */
  async text(): Promise<string> {
    const editor = this.#page.locator('.editor-group-container.active .monaco-editor').first();
    await editor.locator('.view-line').first().waitFor();
    await this.#page.evaluate(() => navigator.clipboard.writeText(''));
    // Its tab gives it the focus without moving the text.
    await this.#page.locator('.editor-group-container.active .tab.active').click();
    await this.#page.keyboard.press('ControlOrMeta+A');
    await this.#page.keyboard.press('ControlOrMeta+C');
    await this.#page.keyboard.press('ControlOrMeta+Home');
    await this.#page
      .waitForFunction(async () => (await navigator.clipboard.readText()) !== '')
      .catch(() => undefined);
    return this.#page.evaluate(() => navigator.clipboard.readText());
  }

  /** The document inside the visible webview. */
  webview(): FrameLocator {
    return this.#page
      .frameLocator('iframe.webview.ready >> visible=true')
      .frameLocator('iframe#active-frame');
  }
}
