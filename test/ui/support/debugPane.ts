import type { Locator } from 'playwright-core';
import { attempt } from './patience';
import type { Workbench } from './workbench';

/** The window's own debugger: its toolbar, the line that it is at, and what its views show. */
export class DebugPane {
  constructor(private readonly workbench: Workbench) {}

  /** A button of the toolbar, by its icon: `step-back`. */
  button(name: string): Locator {
    return this.workbench.page.locator(`.debug-toolbar .codicon-debug-${name}`);
  }

  /** A row of Variables. */
  variable(text: RegExp): Locator {
    return this.workbench.page.locator('.debug-variables .monaco-list-row', { hasText: text }).first();
  }

  /** A row of Call Stack. */
  frame(text: RegExp): Locator {
    return this.workbench.page.locator('.debug-call-stack .monaco-list-row', { hasText: text }).first();
  }

  /** Waits until the line with a text is marked as the one that is next. */
  async stoppedAt(text: string): Promise<void> {
    await this.workbench.page.waitForFunction((wanted) => {
      const topOf = (element: Element | undefined | null): number =>
        element?.getBoundingClientRect().top ?? Number.NaN;
      const lines = [...document.querySelectorAll('.view-line')];
      const found = lines.find((one) => one.textContent?.replaceAll('\u00a0', ' ').includes(wanted));
      const mark = document.querySelector('.debug-top-stack-frame-line');
      return Math.abs(topOf(found) - topOf(mark)) < 4;
    }, text);
  }

  /** Sets the only breakpoint that is visible, with a click beside the line with a text. */
  async clickBeside(text: string): Promise<void> {
    const margin = this.workbench.page.locator('.editor-instance .glyph-margin:visible').first();
    const set = this.workbench.page.locator('.editor-instance .codicon-debug-breakpoint:visible').first();
    for (let tries = 5; tries > 0; tries -= 1) {
      // Lenses move the lines of a document that was just opened.
      await this.workbench.page.keyboard.press('ControlOrMeta+Home');
      await this.#line(text).waitFor();
      const [at, beside] = [await this.#line(text).boundingBox(), await margin.boundingBox()];
      if (at !== null && beside !== null) {
        await this.workbench.page.mouse.click(beside.x + beside.width / 2, at.y + at.height / 2);
        await set.waitFor({ timeout: attempt(3_000) }).catch(() => undefined);
        const [line, point] = [await this.#line(text).boundingBox(), await set.boundingBox()];
        if (line !== null && point !== null) {
          if (Math.abs(line.y + line.height / 2 - point.y - point.height / 2) < line.height / 2) {
            return;
          }
          // The lines had moved under the click.
          await set.click();
          await set.waitFor({ state: 'hidden' });
        }
      }
    }
    await set.waitFor();
  }

  #line(text: string): Locator {
    return this.workbench.page.locator('.view-line:visible', { hasText: text }).first();
  }

  /** Ends the session in front. */
  async stop(): Promise<void> {
    await this.workbench.runCommand('Debug: Stop');
    await this.button('step-back').waitFor({ state: 'hidden' });
  }
}
