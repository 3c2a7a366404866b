import type { Locator, Page } from 'playwright-core';
import { escapePattern } from '../../../src/toolkit/base/text';
import { attempt } from './patience';

/** One entry of a quick pick, as it is shown. */
export interface QuickItem {
  label: string;
  /** What stands behind and below the label. */
  description: string;
}

/** The box at the top: command palette, input boxes and quick picks. */
export class QuickInput {
  readonly #page: Page;
  readonly #widget: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#widget = page.locator('.quick-input-widget:visible');
  }

  get input(): Locator {
    return this.#widget.locator('.quick-input-box input');
  }

  /** The rows that are shown; a long list holds only those. */
  get rows(): Locator {
    return this.#widget.locator('.quick-input-list .monaco-list-row');
  }

  /** Waits until the box asks for something, and answers with its title, prompt and placeholder. */
  async shown(): Promise<{ title: string; prompt: string; placeholder: string }> {
    await this.input.waitFor();
    return {
      title: (await this.#widget.locator('.quick-input-title').textContent()) ?? '',
      prompt: await this.message(),
      placeholder: (await this.input.getAttribute('placeholder')) ?? '',
    };
  }

  /** Waits until the box asks for what its title says. */
  async asks(title: string | RegExp): Promise<void> {
    await this.title(title).waitFor();
  }

  title(title: string | RegExp): Locator {
    return this.#widget.locator('.quick-input-title', { hasText: title });
  }

  /** Puts the text into the box, without Enter. */
  async type(text: string, timeoutMs?: number): Promise<void> {
    await this.input.fill(text, timeoutMs === undefined ? {} : { timeout: timeoutMs });
  }

  /** Puts the text into the box and presses Enter. */
  async fill(text: string): Promise<void> {
    await this.type(text);
    await this.accept();
  }

  /** Presses Enter and waits until the next box, another list or the window's answer is there, or a refusal. */
  async accept(): Promise<void> {
    const before = await this.#state();
    await this.input.press('Enter');
    await this.#changed(before);
  }

  async #changed(before: string): Promise<void> {
    for (const end = Date.now() + attempt(3000); Date.now() < end && (await this.#state()) === before;) {
      await this.#page.waitForTimeout(30);
    }
  }

  /** What tells one box from the next. */
  async #state(): Promise<string> {
    return this.#page.evaluate(() => {
      const widget = document.querySelector<HTMLElement>('.quick-input-widget');
      if (widget === null || widget.style.display === 'none') {
        return 'closed';
      }
      const input = widget.querySelector<HTMLInputElement>('.quick-input-box input');
      const title = widget.querySelector('.quick-input-title')?.textContent;
      const refused = widget.querySelector('.monaco-inputbox.error') !== null;
      return JSON.stringify([title, input?.placeholder, input?.value, refused]);
    });
  }

  async cancel(): Promise<void> {
    await this.#page.keyboard.press('Escape');
    await this.closed();
  }

  async closed(): Promise<void> {
    await this.#widget.waitFor({ state: 'hidden' });
  }

  /**
   * Picks the entry with exactly this label, or the first whose label the pattern fits, and waits as {@link accept} does:
   * what is typed at once would go to the box that is about to close.
   */
  async pick(label: string | RegExp): Promise<void> {
    await this.row(label).waitFor();
    const before = await this.#state();
    await this.row(label).click();
    await this.#changed(before);
    // A mouse that rests on the next box would cover it with a tooltip.
    await this.#page.mouse.move(200, 17);
  }

  /** The same, unless the list closes before: then false. */
  async tryPick(label: string | RegExp): Promise<boolean> {
    try {
      await this.row(label).click({ timeout: attempt(2_000) });
    } catch {
      return false;
    }
    await this.#page.mouse.move(200, 17);
    return true;
  }

  /** The row of a value in a form; its label begins with the name. */
  formRow(name: string): Locator {
    return this.row(new RegExp(String.raw`^\s*${escapePattern(name)}: `));
  }

  /** Opens the box of a value of the form. */
  async edit(name: string): Promise<void> {
    const before = await this.#state();
    await this.formRow(name).click();
    await this.#page.mouse.move(200, 17);
    await this.#changed(before);
  }

  /** Fills in values of the form that is shown, by their names, each in its box; the form is shown again. */
  async fillForm(values: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(values)) {
      await this.edit(name);
      await this.fill(value);
      await this.row(`${name}: ${value}`).waitFor();
    }
  }

  row(label: string | RegExp): Locator {
    const text = typeof label === 'string' ? new RegExp(`^\\s*${escapePattern(label)}\\s*$`) : label;
    const name = this.#page.locator(
      '.quick-input-list-rows > .quick-input-list-row:first-child .label-name',
      {
        hasText: text,
      },
    );
    return this.rows.filter({ has: name }).first();
  }

  async readItems(): Promise<QuickItem[]> {
    await this.rows.first().waitFor();
    return this.rows.evaluateAll((rows) =>
      rows.map((row) => {
        const text = (selector: string): string =>
          [...row.querySelectorAll(selector)].map((part) => part.textContent?.trim() ?? '').join(' ');
        const label = text('.quick-input-list-row:first-child .label-name');
        const details = text('.label-description, .quick-input-list-row:nth-child(2) .label-name');
        return { label, description: details.trim() };
      }),
    );
  }

  /** What is written below the box: the prompt, or the reason for a refusal. */
  async message(): Promise<string> {
    return ((await this.#widget.locator('.quick-input-message').textContent()) ?? '').trim();
  }

  /** The reason for which the box refuses what is in it; waits until there is one. */
  async errorText(): Promise<string> {
    await this.#widget.locator('.quick-input-box .monaco-inputbox.error').waitFor();
    return this.message();
  }
}
