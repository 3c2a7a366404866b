// A headless Chromium-based browser: an installed one, else one from npm.
import { installedBrowser } from './lib/installedBrowser.mjs';
import { npmBrowser } from './lib/npmBrowser.mjs';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** @typedef {{ executablePath: string, env: Record<string, string> }} FoundBrowser */

/** @returns {Promise<FoundBrowser>} */
const find = async () => {
  const installed = await installedBrowser();
  return installed === undefined ? npmBrowser() : { executablePath: installed, env: {} };
};

/** @type {Promise<FoundBrowser> | undefined} */
let found;

/**
 * Looks once per process, because that starts browsers.
 * @returns {Promise<FoundBrowser>}
 */
export const findBrowser = () => (found ??= find());

/**
 * Starts the browser. Playwright ends it with this process.
 * @returns {Promise<import('playwright-core').Browser>}
 */
export const launchBrowser = async () => {
  const { executablePath, env } = await findBrowser();
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath,
    args: flags,
    env: { ...process.env, ...env },
    // Our own handlers end everything in the right order.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    timeout: 60_000,
  });
};
