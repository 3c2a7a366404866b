import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The oldest Chromium on which VS Code 1.100's web workbench is known to work. */
const leastMajor = 110;

const names = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'chrome',
  'microsoft-edge',
];

/** @returns {string[]} where Chrome, Chromium and Edge usually are, best first */
const candidates = () => {
  const { env, platform } = process;
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  if (platform === 'win32') {
    const places = [env['ProgramFiles'], env['ProgramFiles(x86)'], env['LOCALAPPDATA']].filter(
      (place) => place !== undefined,
    );
    return [
      'Google/Chrome/Application/chrome.exe',
      'Chromium/Application/chrome.exe',
      'Microsoft/Edge/Application/msedge.exe',
    ].flatMap((file) => places.map((place) => path.join(place, file)));
  }
  const onPath = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  if (platform === 'darwin') {
    const apps = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
    return [...apps.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`), ...onPath];
  }
  return [...onPath, '/opt/google/chrome/chrome'];
};

/**
 * @param {string} executable
 * @param {Record<string, string>} [env] added to the environment
 * @returns {Promise<boolean>} whether it starts on this machine and is new enough
 */
export const browserWorks = async (executable, env = {}) => {
  if (process.platform === 'win32') {
    // chrome.exe --version opens a window there.
    return existsSync(executable);
  }
  try {
    const { stdout } = await run(executable, ['--headless', '--no-sandbox', '--version'], {
      env: { ...process.env, ...env },
      timeout: 20_000,
    });
    return Number(/(\d+)\.\d+\.\d+/.exec(stdout)?.[1] ?? 0) >= leastMajor;
  } catch {
    return false;
  }
};

/**
 * @returns {Promise<string | undefined>} the first installed Chrome, Chromium or Edge that starts and is new enough.
 *   The environment variable TONWB_BROWSER overrides the choice: a path, or `npm` to ignore installed browsers.
 */
export const installedBrowser = async () => {
  const named = process.env['TONWB_BROWSER'];
  if (named === 'npm') {
    return undefined;
  }
  for (const candidate of named === undefined ? candidates() : [named]) {
    if (existsSync(candidate) && (await browserWorks(candidate))) {
      return candidate;
    }
  }
  if (named !== undefined) {
    throw new Error(`TONWB_BROWSER names ${named}, which is no working Chromium-based browser.`);
  }
  return undefined;
};
