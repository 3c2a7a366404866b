import { copyFile, mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder, root } from './root.mjs';

const files = ['package.json', 'package.nls.json', 'README.md', 'CHANGELOG.md', 'LICENSE'];
const folders = ['dist', 'media', 'syntaxes'];

/**
 * A folder that holds what the extension ships and nothing else, to be loaded as the development extension: files
 * copied, folders linked. Not the project's folder itself: VS Code gives its window the first theme that it finds
 * below a development extension, and the web host's own themes lie in our .cache.
 * @returns {Promise<string>}
 */
export const developmentFolder = async () => {
  const folder = path.join(cacheFolder, 'extension');
  await mkdir(folder, { recursive: true });
  for (const name of files) {
    await copyFile(path.join(root, name), path.join(folder, name));
  }
  for (const name of folders) {
    await symlink(path.join(root, name), path.join(folder, name), 'junction').catch((error) => {
      if (error.code !== 'EEXIST') {
        throw error;
      }
    });
  }
  return folder;
};
