import type { Locator, Page } from 'playwright-core';
import { attempt } from './patience';

/** A modal dialog, as it is shown. */
export interface DialogContent {
  message: string;
  detail: string;
  buttons: string[];
}

/** Of more than three notifications in this time the editor shows the first three; a test is fast enough to meet that. */
const toastIntervalMs = 800;

/** What the editor tells and asks: notifications in the corner and modal dialogs. */
export class Messages {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  notification(text: string | RegExp): Locator {
    return this.#page.locator('.notification-toast').filter({ hasText: text }).first();
  }

  /** The texts of the notifications in sight. */
  async notifications(): Promise<string[]> {
    return this.#page.locator('.notification-toast .notification-list-item-message').allInnerTexts();
  }

  /** Waits for a notification with this text and answers with the whole of it. */
  async waitForNotification(text: string | RegExp): Promise<string> {
    const toast = this.notification(text);
    await toast.waitFor();
    return toast.locator('.notification-list-item-message').innerText();
  }

  async pressInNotification(text: string | RegExp, button: string): Promise<void> {
    await this.notification(text).locator('.monaco-button', { hasText: button }).first().click();
  }

  /** Dismisses what is in sight, and waits until the editor shows everything that comes next. */
  async clearNotifications(): Promise<void> {
    const clear = this.#page.locator('.notification-toast .codicon-notifications-clear');
    while ((await clear.count()) > 0) {
      // Another one that appears above it moves it away from the mouse: then its button is hidden again.
      await this.#page
        .locator('.notification-toast')
        .first()
        .hover({ timeout: attempt(2000) })
        .then(() => clear.first().click({ timeout: attempt(2000) }))
        .catch(() => undefined);
    }
    await this.#page.waitForTimeout(toastIntervalMs);
  }

  /** Waits for a modal dialog. */
  async dialog(): Promise<DialogContent> {
    const box = this.#page.locator('.monaco-dialog-box');
    await box.waitFor();
    const text = async (selector: string): Promise<string> =>
      (await box.locator(selector).allInnerTexts()).join(' ').trim();
    return {
      message: await text('.dialog-message'),
      detail: await text('.dialog-message-detail'),
      buttons: await box.locator('.dialog-buttons .monaco-button').allInnerTexts(),
    };
  }

  async pressInDialog(button: string): Promise<void> {
    const box = this.#page.locator('.monaco-dialog-box');
    await box.locator('.dialog-buttons .monaco-button', { hasText: button }).first().click();
    await box.waitFor({ state: 'hidden' });
  }
}
