import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from '../../../scripts/browser.mjs';
import { onEnd } from '../../../scripts/lib/cleanUp.mjs';
import { attempt, patience } from './patience';

let browser: Promise<Browser> | undefined;

/** One browser for all windows: what they keep is apart, except for the clipboard. */
async function sharedBrowser(): Promise<Browser> {
  if ((await browser?.catch(() => undefined))?.isConnected() !== true) {
    browser = launchBrowser();
    onEnd(async () => (await browser)?.close());
  }
  return browser!;
}

/** A browser that has never been anywhere, whose waits take as long as a test's may. */
export async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await (await sharedBrowser()).newContext(options);
  context.setDefaultTimeout(patience);
  return context;
}

/** Runs in the page: what took the focus lately, the newest first. A list closes when something else takes it. */
function rememberFocus(): void {
  const taken: string[] = [];
  Object.assign(globalThis, { focusTaken: taken });
  document.addEventListener(
    'focusin',
    ({ target }) => {
      const { tagName, className } = target as Element;
      taken.unshift(`${Math.round(performance.now())} ms ${tagName} ${String(className).slice(0, 40)}`);
      taken.splice(6);
    },
    true,
  );
}

/** Where a window asks for the key that its secrets are kept with. */
const secretsKey = '**/mint-key';

/** Opens an address of a VS Code server as a browser does that has never been there. */
export async function openPage(address: string): Promise<Page> {
  const context = await newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  try {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await context.route(secretsKey, (route) => route.fulfill({ body: Buffer.alloc(32, 7) }));
    await context.addInitScript(rememberFocus);
    const page = await context.newPage();
    await page.goto(address);
    await page.locator('.monaco-workbench').waitFor();
    return page;
  } catch (error) {
    await context.close();
    throw error;
  }
}

/** From now on the editor keeps no secrets, as some do not: a window that is opened again has lost them. */
export async function forgetSecrets(page: Page): Promise<void> {
  await page.context().unroute(secretsKey);
}

/** Closes a page and all that its browser knew. The window says goodbye to its server before, as for a user. */
export async function leavePage(page: Page): Promise<void> {
  await page.goto('about:blank', { timeout: attempt(5_000) }).catch(() => undefined);
  // The browser may be gone; what comes after this has to be done all the same.
  await page
    .context()
    .close()
    .catch(() => undefined);
}
