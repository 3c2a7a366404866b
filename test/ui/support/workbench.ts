import type { Page } from 'playwright-core';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onEnd } from '../../../scripts/lib/cleanUp.mjs';
import { root } from '../../../scripts/lib/root.mjs';
import { writeSettings } from '../../../scripts/lib/webHostSettings.mjs';
import type { EditorHost } from '../../../scripts/lib/installNewestHost.mjs';
import type { WebHost } from '../../../scripts/webHost.mjs';
import { EditorPane } from './editorPane';
import { leaseHost } from './leaseHost';
import { Messages } from './messages';
import { ownPorts } from './ownPorts';
import { attempt, patience } from './patience';
import { QuickInput } from './quickInput';
import { sharedExtension } from './sharedExtension';
import { StatusBar } from './statusBar';
import { TreeView } from './treeView';
import { leavePage, openPage } from './windowPage';

export type Theme = keyof typeof themes;

const themes = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  hcDark: 'Default High Contrast',
  hcLight: 'Default High Contrast Light',
};

/** The same as the theme picker shows them. */
const labels: Record<Theme, string> = {
  light: 'Light Modern',
  dark: 'Dark Modern',
  hcDark: 'Dark High Contrast',
  hcLight: 'Light High Contrast',
};

/** The class of a window that shows it. */
const themeKinds: Record<Theme, string> = {
  light: '.vs',
  dark: '.vs-dark',
  hcDark: '.hc-black',
  hcLight: '.hc-light',
};

/** Nothing that moves, asks or reports by itself. */
const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.reduceMotion': 'on',
  'window.autoDetectColorScheme': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'update.mode': 'none',
  // Everything is on this machine; to read them takes an extension host half a second.
  'http.systemCertificates': false,
  'remote.autoForwardPorts': false,
  'chat.commandCenter.enabled': false,
  // Newer editors open a chat beside the editor.
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'editor.cursorBlinking': 'solid',
};

export interface WorkbenchOptions {
  /** Copied, so that a test may change it; by default the example workspace. */
  folder?: string;
  /** User settings. */
  settings?: Record<string, unknown>;
  /** By default dark. */
  theme?: Theme;
  /** Added to the extension host's environment. */
  env?: Record<string, string>;
  /** false: opened in Restricted Mode. */
  trust?: boolean;
  /** null: no development extension. */
  extension?: null;
  /** Where packed extensions were installed. */
  extensionsFolder?: string;
}

/** Set by `npm run test:newest`: another editor, in which the packed extension is installed. */
const packed = JSON.parse(process.env['TONWB_PACKED'] ?? 'null') as
  (EditorHost & { extensionsFolder: string }) | null;

/** `npm test -- ui --pictures`. No test reads them. */
export const takesPictures = process.env['TONWB_PICTURES'] === '1';

/** The windows of the file that runs. */
export const openWorkbenches = new Set<Workbench>();

/** A real VS Code window, driven as a user does. */
export class Workbench {
  readonly page: Page;
  readonly host: WebHost;
  /** The workspace folder, a copy of the one asked for. */
  readonly folder: string;
  readonly quickInput: QuickInput;
  readonly editor: EditorPane;
  readonly messages: Messages;
  readonly statusBar: StatusBar;
  readonly #close: () => Promise<void>;
  readonly #another: () => Promise<Page>;
  readonly #console: string[] = [];

  constructor(
    page: Page,
    host: WebHost,
    folder: string,
    close: () => Promise<void>,
    another: () => Promise<Page>,
  ) {
    this.page = page;
    this.host = host;
    this.folder = folder;
    this.#close = close;
    this.#another = another;
    this.quickInput = new QuickInput(page);
    this.editor = new EditorPane(page);
    this.messages = new Messages(page);
    this.statusBar = new StatusBar(page);
    page.on('console', (message) => this.#console.push(`${message.type()} ${message.text()}`));
    page.on('pageerror', (error) => this.#console.push(`uncaught ${error.stack ?? error.message}`));
  }

  /** Picks a command in the palette by exactly its title, with the category: "TON: Run Get-Method…". */
  async runCommand(title: string | RegExp): Promise<void> {
    const words = typeof title === 'string' ? title : title.source.replaceAll(/[^\w .:-]/g, '');
    const end = Date.now() + patience;
    // Right after the start the extension's commands are not in the list yet: the palette has to be asked again.
    while (!(await this.#isOffered(title, words)) || !(await this.quickInput.tryPick(title))) {
      if (Date.now() > end) {
        const offered = await this.quickInput.readItems();
        throw new Error(
          `The palette offers no ${title}, but ${offered.map(({ label }) => label).join(', ')}.`,
        );
      }
      await this.quickInput.cancel();
    }
  }

  async #isOffered(title: string | RegExp, words: string): Promise<boolean> {
    await this.#ask('F1', `>${words}`);
    return this.quickInput
      .row(title)
      .waitFor({ timeout: attempt(1500) })
      .then(() => true)
      .catch(() => false);
  }

  /**
   * The key can get lost while a theme changes, and the box closes again when a panel or a webview that was just
   * opened takes the focus: then it is opened once more.
   */
  async #ask(key: string, text: string): Promise<void> {
    for (let tries = 0; tries < 8; tries++) {
      await this.page.keyboard.press(key);
      const asked = await this.quickInput.type(text, attempt(2000)).then(
        () => true,
        () => false,
      );
      if (asked) {
        return;
      }
      await this.page.keyboard.press('Escape');
    }
  }

  /** The whole text of the active editor. */
  async openDocumentText(): Promise<string> {
    return this.editor.text();
  }

  /** A view by its title; shows it. */
  async showView(title: string): Promise<TreeView> {
    await this.runCommand(new RegExp(`Focus on ${title} View$`));
    return this.view(title);
  }

  /** A view by its title. */
  view(title: string): TreeView {
    return new TreeView(this.page, title);
  }

  /** Writes user settings; the editor takes them over by itself. */
  async changeSettings(settings: Record<string, unknown>): Promise<void> {
    await writeSettings(this.host.dataFolder, settings);
  }

  /** Says no where the editor asks whether the workspace is trusted. Newer ones do not ask: they say that it is not. */
  async stayRestricted(): Promise<void> {
    await (packed === null
      ? this.page.getByRole('button', { name: /No, I don't trust the authors/ }).click()
      : this.page
          .getByRole('button', { name: /Restricted Mode/ })
          .first()
          .waitFor());
  }

  /** Changes the theme as a user does. */
  async setTheme(theme: Theme): Promise<void> {
    await this.runCommand('Preferences: Color Theme');
    await this.quickInput.type(labels[theme]);
    await this.quickInput.pick(labels[theme]);
    await this.page.locator(`.monaco-workbench${themeKinds[theme]}`).waitFor();
    await this.quickInput.closed();
  }

  /** Opens a file of the workspace by its name, at a line. */
  async openFile(name: string, line?: number): Promise<void> {
    const end = Date.now() + patience;
    const isPicked = async (): Promise<boolean> => {
      await this.#ask('ControlOrMeta+P', line === undefined ? name : `${name}:${line}`);
      return this.quickInput.tryPick(name);
    };
    while (!(await isPicked()) && Date.now() < end) {
      await this.page.keyboard.press('Escape');
    }
    await this.editor.waitForTitle(name);
  }

  /** Composes a message: `send Till Pay {amount: 5} 0.1ton from alice`. */
  async compose(line: string): Promise<void> {
    await this.runCommand('TON: Compose Message…');
    await this.quickInput.asks('TON: Compose Message');
    await this.quickInput.fill(line);
  }

  /** What the window wrote to the browser's console. */
  consoleText(): string {
    return this.#console.join('\n');
  }

  /**
   * A picture for people to look at, test-results/ui/NAME.png; nothing unless {@link takesPictures}.
   *
   * @param take by default of the window
   */
  async screenshot(name: string, take?: () => Promise<Buffer>): Promise<void> {
    if (takesPictures) {
      await writePicture(name, await (take?.() ?? this.page.screenshot()));
    }
  }

  /** Changes the theme for the screenshots that follow; nothing unless {@link takesPictures}. */
  async setPictureTheme(theme: Theme): Promise<void> {
    if (takesPictures) {
      await this.setTheme(theme);
    }
  }

  /** Screenshots NAME-dark and NAME-light of a window with the dark theme. */
  async inBothThemes(name: string): Promise<void> {
    await this.screenshot(`${name} dark`);
    await this.setPictureTheme('light');
    await this.screenshot(`${name} light`);
    await this.setPictureTheme('dark');
  }

  /** In a line: the box, the dialog, the notifications, the editors that are open, and what took the focus last. */
  async shown(): Promise<string> {
    const texts = async (selector: string): Promise<string[]> =>
      this.page
        .locator(selector)
        .allInnerTexts()
        .catch(() => []);
    const parts = {
      box: await texts('.quick-input-widget:visible'),
      dialog: await texts('.monaco-dialog-box'),
      notifications: await this.messages.notifications().catch(() => []),
      editors: await this.editor.titles().catch(() => []),
      focus: await this.page
        .evaluate(() => (globalThis as { focusTaken?: string[] }).focusTaken ?? [])
        .catch(() => []),
      debugger: await texts('.debug-toolbar:visible .monaco-select-box, .debug-toolbar:visible'),
    };
    const shown = Object.entries(parts).filter(([, found]) => found.length > 0);
    return shown
      .map(([name, found]) => `${name}: ${found.join(' | ').replaceAll(/\s+/g, ' ').slice(0, 300)}`)
      .join('; ');
  }

  /** For a failed test: a screenshot and every log, into test-results/ui. */
  async keepEvidence(name: string): Promise<void> {
    const title = `failed ${name}`;
    await this.page
      .screenshot()
      .then((image) => writePicture(title, image))
      .catch(() => undefined);
    const folder = pictureFile(title).replace(/\.png$/, '');
    await mkdir(folder, { recursive: true });
    await cp(path.join(this.host.dataFolder, 'data/logs'), path.join(folder, 'logs'), {
      recursive: true,
    }).catch(() => undefined);
    await writeFile(path.join(folder, 'server.log'), this.host.log());
    await writeFile(path.join(folder, 'console.log'), this.consoleText());
  }

  /**
   * Opens a second window of the same editor on the same folder; it closes with this one, or when its page is
   * closed.
   */
  async openSecondWindow(): Promise<Workbench> {
    const page = await this.#another();
    return new Workbench(page, this.host, this.folder, () => page.close(), this.#another);
  }

  /** Ends the window, the browser and the server, and removes their folders. */
  async close(): Promise<void> {
    openWorkbenches.delete(this);
    await this.#close();
  }
}

/** @param name in words */
function pictureFile(name: string): string {
  return path.join(root, 'test-results/ui', `${name.replaceAll(/[^\w.-]+/g, '-')}.png`);
}

async function writePicture(name: string, image: Buffer): Promise<void> {
  const file = pictureFile(name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, image);
}

/** Starts a VS Code with the extension and opens it in a browser. One per suite; close() ends it. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const source = options.folder ?? path.join(root, 'examples');
  const scratch = await mkdtemp(path.join(tmpdir(), 'ton-workbench-folder-'));
  const folder = path.join(scratch, path.basename(source));
  const ends: (() => Promise<unknown>)[] = [() => rm(scratch, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    forget();
    for (const end of ends.splice(0).reverse()) {
      await end();
    }
  };
  const forget = onEnd(close);
  try {
    await cp(source, folder, { recursive: true });
    const theme = { 'workbench.colorTheme': themes[options.theme ?? 'dark'] };
    const extensionsFolder = options.extensionsFolder ?? packed?.extensionsFolder;
    const host = await leaseHost({
      settings: {
        ...quietSettings,
        ...theme,
        ...options.settings,
        ...(await ownPorts(options.settings)),
      },
      own: {
        ...(options.env === undefined ? {} : { env: options.env }),
        ...(options.trust === false ? { trust: false } : {}),
        ...(extensionsFolder === undefined ? {} : { extensionsFolder }),
      },
      ...(packed === null ? {} : { editor: packed }),
    });
    ends.push(() => host.stop());
    const extension = options.extension === null || packed !== null ? undefined : await sharedExtension();
    const address = host.address({ folder, ...(extension === undefined ? {} : { extension }) });
    const another = async (): Promise<Page> => {
      const opened = await openPage(address);
      ends.push(() => leavePage(opened));
      return opened;
    };
    const page = await another();
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await page.locator(`.monaco-workbench${themeKinds[options.theme ?? 'dark']}`).waitFor();
    const workbench = new Workbench(page, host, folder, close, another);
    openWorkbenches.add(workbench);
    return workbench;
  } catch (error) {
    await close();
    throw error;
  }
}
