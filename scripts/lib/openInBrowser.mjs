import { spawn } from 'node:child_process';

/**
 * Shows an address in the person's own browser.
 * @param {string} address
 * @returns {Promise<boolean>} whether the system has something that opens addresses
 */
export const openInBrowser = (address) => {
  const openers = /** @type {Partial<Record<NodeJS.Platform, [string, ...string[]]>>} */ ({
    darwin: ['open', address],
    win32: ['rundll32', 'url.dll,FileProtocolHandler', address],
  });
  const [command, ...args] = openers[process.platform] ?? ['xdg-open', address];
  return new Promise((resolve) => {
    const opener = spawn(command, args, { stdio: 'ignore', detached: true });
    opener.once('error', () => resolve(false));
    opener.once('exit', (code) => resolve(code === 0));
    opener.once('spawn', () => {
      opener.unref();
      setTimeout(() => resolve(true), 3000).unref();
    });
  });
};
