import { spawn } from 'node:child_process';
import path from 'node:path';
import { root } from './root.mjs';

/**
 * Runs esbuild.mjs; its output goes to stderr.
 * @param {string[]} args
 * @returns {Promise<void>}
 */
export const buildProject = (...args) =>
  new Promise((resolve, reject) => {
    const build = spawn(process.execPath, [path.join(root, 'esbuild.mjs'), ...args], {
      cwd: root,
      stdio: ['ignore', process.stderr.fd, 'inherit'],
    });
    build.once('error', reject);
    build.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error('The build failed; the lines above say why.')),
    );
  });
