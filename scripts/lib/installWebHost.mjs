import { chmod, copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { installPackage } from './installPackage.mjs';
import { runNpm } from './npm.mjs';
import { cacheFolder } from './root.mjs';
import { say } from './say.mjs';

/** The npm package whose VS Code (1.100.3) is the oldest that package.json's engines.vscode allows. */
const version = '4.100.3';

/** Ships its program in npm packages, one per platform; the older one inside would have to download it. */
const ripgrep = '1.18.0';

const inside = 'node_modules/code-server/lib/vscode';

/**
 * The editor finds files in the workspace with ripgrep.
 * @param {string} draft
 */
const addRipgrep = async (draft) => {
  const windows = process.platform === 'win32';
  const name = windows ? 'rg.exe' : 'rg';
  await runNpm(
    ['install', `@vscode/ripgrep@${ripgrep}`, '--ignore-scripts', '--no-package-lock', '--no-save'],
    { cwd: draft },
  );
  const from = path.join(draft, `node_modules/@vscode/ripgrep-${process.platform}-${process.arch}/bin`, name);
  const to = path.join(draft, inside, 'node_modules/@vscode/ripgrep/bin', name);
  await mkdir(path.dirname(to), { recursive: true });
  try {
    await copyFile(from, to);
    await chmod(to, 0o755);
  } catch {
    say('There is no ripgrep for this system: finding files does not work in this VS Code.');
  }
};

/**
 * The VS Code server and web workbench from npm, installed on first use into the cache folder.
 * @returns {Promise<string>} the server's main file
 */
export const installWebHost = async () => {
  const folder = path.join(cacheFolder, 'web-host', `${version}-ripgrep-${ripgrep}`);
  await installPackage({
    name: 'code-server',
    version,
    folder,
    purpose: 'the VS Code that runs in a browser (about 300 MB on disk, once)',
    finish: async (draft) => {
      // As with code-server, a shrinkwrap file inside the package locks the server's dependencies.
      await runNpm(['install', '--omit=dev', '--ignore-scripts'], { cwd: path.join(draft, inside) });
      await addRipgrep(draft);
    },
  });
  return path.join(folder, inside, 'out/server-main.js');
};
