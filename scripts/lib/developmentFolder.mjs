import { cp } from 'node:fs/promises';
import path from 'node:path';
import { root } from './root.mjs';

const shipped = [
  'package.json',
  'package.nls.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'dist',
  'media',
  'syntaxes',
];
const tests = path.join(root, 'dist/test');

/** @param {string} source */
const isShipped = (source) => source !== tests && !source.endsWith('.map');

/**
 * Copies what the extension ships into a separate folder, to be loaded as the development extension. Not the
 * project's folder itself: VS Code gives its window the first theme that it finds below a development extension, and
 * the web host's own themes lie in our .cache. And no links: VS Code tells an extension's code by its real path.
 * @param {string} target created if missing
 * @returns {Promise<string>} the target
 */
export const developmentFolder = async (target) => {
  for (const name of shipped) {
    await cp(path.join(root, name), path.join(target, name), { recursive: true, filter: isShipped });
  }
  return target;
};
