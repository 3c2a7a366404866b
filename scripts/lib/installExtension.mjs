import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { installWebHost } from './installWebHost.mjs';

/**
 * Installs a packed extension for the web host, as a user would with "Install from VSIX…".
 * @param {string} vsix
 * @param {string} extensionsFolder passed to the host at startup
 * @param {import('./installNewestHost.mjs').EditorHost} [editor] by default the oldest that is supported
 */
export const installExtension = async (vsix, extensionsFolder, editor) => {
  const { main, node } = editor ?? { main: await installWebHost(), node: process.execPath };
  await promisify(execFile)(
    node,
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
