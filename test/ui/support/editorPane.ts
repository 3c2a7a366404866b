import type { FrameLocator, Locator, Page } from 'playwright-core';
import { patience } from './patience';

/** The editor area: tabs, the text in the active editor, and webviews. */
export class EditorPane {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The titles of the open tabs, the active editor's first. */
  async titles(): Promise<string[]> {
    return this.#page.evaluate(() => {
      // Newer editors put the ending of a file's name into an element of its own.
      const part = (tab: Element, name: string): string =>
        tab.querySelector(`.monaco-icon-${name}-container`)?.textContent ?? '';
      const active = [...document.querySelectorAll('.editor-group-container.active .tab.active')];
      const all = [...document.querySelectorAll('.editor-group-container .tab')];
      return [...new Set([...active, ...all])].map((tab) => part(tab, 'name') + part(tab, 'suffix'));
    });
  }

  /** Waits until the active editor has this title (a part of it is enough), or one that the pattern fits. */
  async waitForTitle(title: string | RegExp): Promise<void> {
    const fits = (text: string): boolean =>
      typeof title === 'string' ? text.toLowerCase().includes(title.toLowerCase()) : title.test(text);
    let titles = await this.titles();
    for (const end = Date.now() + patience; !fits(titles[0] ?? ''); titles = await this.titles()) {
      if (Date.now() > end) {
        throw new Error(`No editor ${String(title)} is active; open are ${titles.join(', ')}.`);
      }
      await this.#page.waitForTimeout(50);
    }
  }

  /** The first lens in sight that has this text. */
  lens(text: string | RegExp): Locator {
    return this.#page.locator('.codelens-decoration :is(a, span):visible', { hasText: text }).first();
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
    // An empty document copies nothing.
    for (const end = Date.now() + patience; ; await this.#page.waitForTimeout(30)) {
      const text = await this.#page.evaluate(() => navigator.clipboard.readText());
      if (text !== '' || Date.now() > end) {
        return text;
      }
    }
  }

  /** The document inside the visible webview. */
  webview(): FrameLocator {
    return this.#page
      .frameLocator('iframe.webview.ready >> visible=true')
      .frameLocator('iframe#active-frame');
  }
}
