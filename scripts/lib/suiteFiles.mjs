import { readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.mjs';

/** @typedef {{ index: number, of: number }} Share one of the equal parts of a tier, from 0 */

/**
 * The suite files below a folder, in order, without their extension: those of the share, or all.
 * @param {string} folder relative to the root
 * @param {Share} [share]
 * @returns {string[]}
 */
export const suiteFiles = (folder, { index, of } = { index: 0, of: 1 }) => {
  try {
    const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
    return files
      .filter((file) => /\.test\.[jt]sx?$/.test(file))
      .map((file) => file.replaceAll('\\', '/').replace(/\.[jt]sx?$/, ''))
      .sort()
      .filter((_, place) => place % of === index);
  } catch {
    return [];
  }
};
