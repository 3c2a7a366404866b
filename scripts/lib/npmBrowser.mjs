import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { browserWorks } from './installedBrowser.mjs';
import { installPackage } from './installPackage.mjs';
import { cacheFolder } from './root.mjs';

const run = promisify(execFile);

const version = '153.0.0';
const folder = path.join(cacheFolder, 'browser', version);

/** Unpacks the package's contents into what it takes for the system's temporary folder. */
const unpackScript = `
const { default: chromium, inflate } = await import(process.argv[1]);
await chromium.executablePath(process.argv[2]);
await inflate(process.argv[2] + '/al2023.tar.br');
`;

/** @param {string} draft */
const unpack = async (draft) => {
  const modules = path.join(draft, 'node_modules');
  const parcel = path.join(modules, '@sparticuz/chromium');
  const target = path.join(draft, 'unpacked');
  await mkdir(target);
  await run(
    process.execPath,
    [
      '--input-type=module',
      ...['--eval', unpackScript, path.join(parcel, 'build/index.js'), path.join(parcel, 'bin')],
    ],
    // It reuses any Chromium found in the temporary folder, so that folder has to be new.
    { env: { ...process.env, TMPDIR: target }, timeout: 5 * 60_000 },
  );
  await rm(modules, { recursive: true });
};

/**
 * Without system fonts, text shows as boxes: points the browser at the package's own font.
 * @returns {Promise<Record<string, string>>}
 */
const fonts = async () => {
  if (existsSync('/etc/fonts/fonts.conf')) {
    return {};
  }
  const file = path.join(folder, 'fonts.conf');
  const text = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}/unpacked/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>
`;
  await writeFile(file, text);
  return { FONTCONFIG_FILE: file };
};

/**
 * A Chromium from npm, for systems without one; installed on first use into the cache folder.
 * @returns {Promise<{ executablePath: string, env: Record<string, string> }>}
 */
export const npmBrowser = async () => {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      'No Chrome, Chromium or Edge was found. Install one, or name one with the environment variable TONWB_BROWSER.',
    );
  }
  await installPackage({
    name: '@sparticuz/chromium',
    version,
    folder,
    purpose: 'a Chromium to show the editor in (about 280 MB on disk, once)',
    finish: unpack,
  });
  const executablePath = path.join(folder, 'unpacked/chromium');
  const env = await fonts();
  if (await browserWorks(executablePath, env)) {
    return { executablePath, env };
  }
  // Usually nss is missing; the package ships those libraries.
  const libraries = path.join(folder, 'unpacked/al2023/lib');
  const known = process.env['LD_LIBRARY_PATH'];
  const withLibraries = { ...env, LD_LIBRARY_PATH: known ? `${libraries}:${known}` : libraries };
  if (await browserWorks(executablePath, withLibraries)) {
    return { executablePath, env: withLibraries };
  }
  throw new Error(
    `The Chromium from npm does not start on this system: ${executablePath} --version says why.`,
  );
};
