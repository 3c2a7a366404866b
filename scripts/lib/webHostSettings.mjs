import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './root.mjs';

/** Settings of scope `machine` count only in the remote machine's own file. */
const machineSettings = async () => {
  const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  /** @type {Record<string, { scope?: string }>} */
  const properties = Object.assign(
    {},
    .../** @type {{ properties: object }[]} */ (manifest.contributes.configuration).map(
      (group) => group.properties,
    ),
  );
  return new Set(Object.keys(properties).filter((id) => properties[id]?.scope?.startsWith('machine')));
};

/**
 * Sets user settings of a web host, running or not; other settings are kept.
 * @param {string} dataFolder
 * @param {Record<string, unknown>} settings
 */
export const writeSettings = async (dataFolder, settings) => {
  const ofMachine = await machineSettings();
  for (const [file, belongs] of /** @type {const} */ ([
    ['data/User/settings.json', (/** @type {string} */ id) => !ofMachine.has(id)],
    ['data/Machine/settings.json', (/** @type {string} */ id) => ofMachine.has(id)],
  ])) {
    const target = path.join(dataFolder, file);
    const known = await readFile(target, 'utf8').then(JSON.parse, () => ({}));
    const wanted = Object.fromEntries(Object.entries(settings).filter(([id]) => belongs(id)));
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, JSON.stringify({ ...known, ...wanted }, undefined, 2));
  }
};
