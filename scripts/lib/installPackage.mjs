import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { onEnd } from './cleanUp.mjs';
import { runNpm } from './npm.mjs';
import { say } from './say.mjs';

/**
 * Installs an npm package into a separate folder, outside the project's node_modules. The folder appears only once
 * complete, so that an interrupted or concurrent run never sees half of it.
 * @param {object} parameters
 * @param {string} parameters.name
 * @param {string} parameters.version
 * @param {string} parameters.folder where it ends up
 * @param {string} parameters.purpose completes "Fetching NAME VERSION from npm, …"
 * @param {string[]} [parameters.flags] additional npm flags
 * @param {(folder: string) => Promise<unknown>} parameters.finish final steps before the folder counts as complete
 */
export const installPackage = async (parameters) => {
  if (existsSync(parameters.folder)) {
    return;
  }
  say(`Fetching ${parameters.name} ${parameters.version} from npm, ${parameters.purpose}…`);
  try {
    await attempt(parameters);
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}; trying once more…`);
    await attempt(parameters);
  }
};

/** @param {Parameters<typeof installPackage>[0]} parameters */
const attempt = async ({ name, version, folder, flags = [], finish }) => {
  const draft = `${folder}.draft-${process.pid}-${Date.now()}`;
  const remove = () => rm(draft, { recursive: true, force: true });
  const keep = onEnd(remove);
  try {
    await mkdir(draft, { recursive: true });
    // A separate package.json keeps npm from walking up to the project's.
    await writeFile(path.join(draft, 'package.json'), '{ "private": true }\n');
    await runNpm(
      ['install', `${name}@${version}`, '--ignore-scripts', '--no-package-lock', '--save-exact', ...flags],
      { cwd: draft },
    );
    await finish(draft);
    await rename(draft, folder).catch((error) => {
      // Another run was faster; its folder is as good.
      if (!existsSync(folder)) {
        throw error;
      }
    });
  } finally {
    await remove();
    keep();
  }
};
