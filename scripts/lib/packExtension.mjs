import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { buildProject } from './build.mjs';
import { onEnd } from './cleanUp.mjs';
import { cacheFolder, root } from './root.mjs';

/** Generated and large, so not copied for packing. */
const generated = new Set(['.cache', '.git', 'dist', 'node_modules', 'test-results']);

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
    await createVSIX({
      cwd: copy,
      packagePath: file,
      dependencies: false,
      // There is no public repository for the README's links and images to point to.
      allowMissingRepository: true,
      rewriteRelativeLinks: false,
    });
    const files = await listFiles({ cwd: copy, packageManager: PackageManager.None });
    return files.map((one) => one.replaceAll('\\', '/')).sort();
  } finally {
    await remove();
    forget();
  }
};
