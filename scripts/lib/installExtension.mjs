import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { installWebHost } from './installWebHost.mjs';

/**
 * Installs a packed extension for the web host, as a user would with "Install from VSIX…".
 * @param {string} vsix
 * @param {string} extensionsFolder given to the host when it is started
 */
export const installExtension = async (vsix, extensionsFolder) => {
  const main = await installWebHost();
  await promisify(execFile)(
    process.execPath,
    [
      main,
      '--accept-server-license-terms',
      '--extensions-dir',
      extensionsFolder,
      '--install-extension',
      vsix,
    ],
    { timeout: 60_000 },
  );
};
