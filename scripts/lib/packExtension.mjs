import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { buildProject } from './build.mjs';
import { onEnd } from './cleanUp.mjs';
import { cacheFolder, root } from './root.mjs';

/** Generated and large, so not copied for packing. */
const generated = new Set(['.cache', '.git', 'dist', 'node_modules', 'test-results']);

/**
 * Packs a folder as it is. vsce only prints its warnings; here, each but one is a failure.
 * @param {string} folder
 * @param {string} file where the .vsix is written
 * @returns {Promise<void>}
 */
export const packFolder = async (folder, file) => {
  /** @type {string[]} */
  const warnings = [];
  const { warn } = console;
  const onGitHub = process.env['GITHUB_ACTIONS'];
  // There, vsce writes to standard output instead.
  delete process.env['GITHUB_ACTIONS'];
  console.warn = (...words) => warnings.push(words.join(' '));
  try {
    await createVSIX({ cwd: folder, packagePath: file, dependencies: false });
  } finally {
    console.warn = warn;
    if (onGitHub !== undefined) {
      process.env['GITHUB_ACTIONS'] = onGitHub;
    }
  }
  // It takes many files for a missing bundle. These are one: esbuild's chunks, each loaded when it is needed.
  const meant = warnings.filter((one) => !one.includes('you should bundle your extension'));
  if (meant.length > 0) {
    throw new Error(meant.join('\n'));
  }
};

/**
 * Packs the extension from a copy of the project with a production build, leaving the project's own dist unchanged.
 * .vscodeignore decides what goes in.
 * @param {string} file where the .vsix is written
 * @returns {Promise<string[]>} the packed files
 */
export const packExtension = async (file) => {
  await mkdir(cacheFolder, { recursive: true });
  const copy = await mkdtemp(path.join(cacheFolder, 'package-'));
  const remove = () => rm(copy, { recursive: true, force: true });
  const forget = onEnd(remove);
  try {
    for (const entry of await readdir(root)) {
      if (!generated.has(entry) && !/\.(vsix|tgz)$/.test(entry)) {
        await cp(path.join(root, entry), path.join(copy, entry), { recursive: true });
      }
    }
    await buildProject('--production', `--outdir=${path.join(copy, 'dist')}`);
    await packFolder(copy, file);
    const files = await listFiles({ cwd: copy, packageManager: PackageManager.None });
    return files.map((one) => one.replaceAll('\\', '/')).sort();
  } finally {
    await remove();
    forget();
  }
};
