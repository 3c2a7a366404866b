import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from './root.mjs';

const run = promisify(execFile);

/** @param {string} text */
const version = (text) => {
  const [, major, minor, patch] = /(\d+)\.(\d+)\.(\d+)/.exec(text) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
};

/**
 * @param {number[]} have
 * @param {number[]} least
 */
const atLeast = (have, least) => {
  const differs = have.findIndex((part, index) => part !== least[index]);
  return differs === -1 || (have[differs] ?? 0) > (least[differs] ?? 0);
};

/**
 * @returns {Promise<string | undefined>} why this machine's desktop VS Code cannot be used, in one sentence;
 *   undefined if it can
 */
export const whyNoDesktopEditor = async () => {
  const { env } = process;
  if (env['VSCODE_IPC_HOOK_CLI'] !== undefined) {
    return 'This terminal belongs to a remote VS Code window.';
  }
  if (process.platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) {
    return 'There is no screen to open a window on.';
  }
  const wanted = String(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).engines.vscode);
  try {
    const { stdout } = await run('code', ['--version'], {
      shell: process.platform === 'win32',
      timeout: 20_000,
    });
    const have = version(stdout);
    const least = version(wanted);
    if (have !== undefined && least !== undefined && atLeast(have, least)) {
      return undefined;
    }
    return `Desktop VS Code ${have?.join('.') ?? ''} is older than ${least?.join('.') ?? wanted}.`;
  } catch {
    return 'No desktop VS Code was found (the command `code`).';
  }
};
