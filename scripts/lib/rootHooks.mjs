import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * What the suites of a tier want around every test, for Mocha's option `rootHooks`: it belongs to each Mocha, while a
 * module that registers hooks by itself does so for the first Mocha only.
 * @param {string} folder of the tier's built suites
 * @returns {Promise<Mocha.RootHookObject>}
 */
export const rootHooksOf = async (folder) => {
  const file = path.join(folder, 'support/rootHooks.js');
  return existsSync(file) ? (await import(pathToFileURL(file).href)).mochaHooks : {};
};
