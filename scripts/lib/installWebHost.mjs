import path from 'node:path';
import { installPackage } from './installPackage.mjs';
import { runNpm } from './npm.mjs';
import { cacheFolder } from './root.mjs';

/** The npm package whose VS Code (1.100.3) is the oldest that package.json's engines.vscode allows. */
const version = '4.100.3';

const inside = 'node_modules/code-server/lib/vscode';

/**
 * The VS Code server and web workbench from npm, installed on first use into the cache folder.
 * @returns {Promise<string>} the server's main file
 */
export const installWebHost = async () => {
  const folder = path.join(cacheFolder, 'web-host', version);
  await installPackage({
    name: 'code-server',
    version,
    folder,
    purpose: 'the VS Code that runs in a browser (about 300 MB on disk, once)',
    // The server's own dependencies come from the shrinkwrap file inside the package.
    finish: (draft) =>
      runNpm(['install', '--omit=dev', '--ignore-scripts'], { cwd: path.join(draft, inside) }),
  });
  return path.join(folder, inside, 'out/server-main.js');
};
