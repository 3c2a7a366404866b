import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { onEnd } from './cleanUp.mjs';

/**
 * A page, readable only by this user, that redirects to the address. Every user of a machine can read all command
 * lines, so an address with a key must not appear in one.
 * @param {string} address
 * @param {string} parent readable by sandboxed browsers, so neither hidden nor temporary
 * @returns {Promise<string>} its file address
 */
const writeRedirect = async (address, parent) => {
  const folder = await mkdtemp(path.join(parent, 'open-'));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'index.html');
  const escaped = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const page = `<!doctype html><meta charset="utf-8"><title>TON Workbench</title>
<meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${escaped}">
<a href="${escaped}">Open the editor</a>
`;
  await writeFile(file, page, { mode: 0o600 });
  return pathToFileURL(file).href;
};

/**
 * Opens an address in the user's own browser without revealing it to other users of the machine.
 * @param {string} address
 * @param {string} folder holds a page until this process ends
 * @returns {Promise<boolean>} whether the system can open addresses
 */
export const openInBrowser = async (address, folder) => {
  const page = await writeRedirect(address, folder);
  const openers = /** @type {Partial<Record<NodeJS.Platform, [string, ...string[]]>>} */ ({
    darwin: ['open', page],
    win32: ['rundll32', 'url.dll,FileProtocolHandler', page],
  });
  const [command, ...args] = openers[process.platform] ?? ['xdg-open', page];
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
