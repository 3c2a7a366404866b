import type { ConsoleMessage, Locator, Page } from 'playwright-core';
import { attempt, patience } from './patience';
import { pickFromMenu } from './pickFromMenu';

/** One row of a tree that is in sight. */
export interface TreeRow {
  label: string;
  description: string;
  /** 1 for a root. */
  level: number;
  /** undefined for a leaf. */
  expanded: boolean | undefined;
}

/** A view in the side bar or panel, by its title. */
export class TreeView {
  readonly #page: Page;
  readonly title: string;

  constructor(page: Page, title: string) {
    this.#page = page;
    this.title = title;
  }

  get pane(): Locator {
    const header = this.#page.locator(`.pane-header h3.title:text-is(${JSON.stringify(this.title)})`);
    return this.#page.locator('.pane', { has: header }).first();
  }

  /** Makes room for the other views. */
  async collapse(): Promise<void> {
    const header = this.pane.locator('.pane-header');
    await header.waitFor();
    if ((await header.getAttribute('aria-expanded')) === 'true') {
      await header.click({ position: { x: 60, y: 10 } });
    }
    await this.pane.locator('.pane-header[aria-expanded=false]').waitFor();
  }

  /** The text that an empty view shows instead of a tree. */
  async welcomeText(): Promise<string> {
    const content = this.pane.locator('.welcome-view-content');
    await content.waitFor();
    return content.innerText();
  }

  row(label: string | RegExp): Locator {
    return this.pane
      .locator('.monaco-list-row')
      .filter({ has: this.#page.locator('.label-name', { hasText: label }) })
      .first();
  }

  async rows(): Promise<TreeRow[]> {
    await this.pane.locator('.monaco-list-row').first().waitFor();
    const rows = await this.pane.locator('.monaco-list-row').evaluateAll((elements) =>
      elements.map((row) => ({
        top: (row as HTMLElement).offsetTop,
        label: row.querySelector('.label-name')?.textContent?.trim() ?? '',
        description: row.querySelector('.label-description')?.textContent?.trim() ?? '',
        level: Number(row.getAttribute('aria-level') ?? 1),
        expanded: row.getAttribute('aria-expanded'),
      })),
    );
    return rows
      .sort((a, b) => a.top - b.top)
      .map(({ label, description, level, expanded }) => ({
        label,
        description,
        level,
        expanded: expanded === null ? undefined : expanded === 'true',
      }));
  }

  /** Shows a row's children, unless they are shown already. */
  async expand(label: string | RegExp): Promise<void> {
    const expanded = this.row(label).and(this.#page.locator('[aria-expanded=true]'));
    await this.row(label).waitFor();
    while (!(await expanded.isVisible())) {
      await this.toggle(label);
      // What selected the row may have expanded it at the same moment; then the click has collapsed it.
      await expanded.waitFor({ timeout: attempt(2000) }).catch(() => undefined);
    }
  }

  async toggle(label: string | RegExp): Promise<void> {
    await this.row(label).locator('.monaco-tl-twistie').click();
  }

  async click(label: string | RegExp): Promise<void> {
    await this.row(label).click();
  }

  /** Presses one of the buttons that appear on a row, by its tooltip. */
  async rowAction(label: string | RegExp, action: string): Promise<void> {
    await this.#meant(async () => {
      await this.row(label).hover();
      await this.row(label)
        .locator(`.action-label[aria-label^=${JSON.stringify(action)}]`)
        .click();
    });
  }

  /**
   * Presses what runs a row's command, and again if the command did not get its row: while VS Code reads a view anew, it
   * does not know the rows that it shows.
   */
  async #meant(press: () => Promise<void>): Promise<void> {
    let isGone = false;
    const listen = (message: ConsoleMessage): void => {
      isGone ||= message.text().includes('This item no longer exists');
    };
    this.#page.on('console', listen);
    try {
      for (let tries = 3; tries > 0; tries -= 1) {
        isGone = false;
        await press();
        for (const end = Date.now() + attempt(500); !isGone && Date.now() < end;) {
          await this.#page.waitForTimeout(50);
        }
        if (!isGone) {
          return;
        }
      }
    } finally {
      this.#page.off('console', listen);
    }
  }

  /**
   * Opens a row's context menu and picks an entry, which may be missing while the row is still being
   * followed.
   *
   * @param shows what comes then: a click that comes as the view is read anew, which takes the menu away, is lost
   */
  async contextMenu(label: string | RegExp, entry: string, shows?: Locator): Promise<void> {
    await this.#meant(async () => {
      const found = this.#page.locator('.monaco-menu .action-menu-item', { hasText: entry }).first();
      for (const end = Date.now() + patience; ;) {
        await this.row(label).click({ button: 'right' });
        const isThere = await found.waitFor({ timeout: attempt(1000) }).then(
          () => true,
          () => false,
        );
        if ((isThere || Date.now() > end) && (await pickFromMenu(this.#page, entry))) {
          const timeout = Date.now() > end ? patience : attempt(10_000);
          if ((await shows?.waitFor({ timeout }).catch(() => false)) !== false) {
            break;
          }
        }
        await this.#page.keyboard.press('Escape');
      }
    });
  }
}
