import { spawn } from 'node:child_process';
import path from 'node:path';

/** npm tells its scripts about the project; an npm running in another folder must not see that. */
const environment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^npm_(package|lifecycle|command|config_(local_prefix|global|omit|production)$)|^NODE_ENV$/i.test(
          name,
        ),
    ),
  );

/**
 * Runs npm in a folder; its stdout goes to our stderr.
 * @param {string[]} args
 * @param {{ cwd: string, timeLimitMs?: number }} options
 * @returns {Promise<void>} rejects with the command and its exit code
 */
export const runNpm = (args, { cwd, timeLimitMs = 10 * 60_000 }) => {
  const cli = process.env['npm_execpath'];
  const known = cli !== undefined && /npm-cli\.[cm]?js$/.test(path.basename(cli));
  const windows = process.platform === 'win32';
  const [command, first] = known ? [process.execPath, [cli]] : [windows ? 'npm.cmd' : 'npm', []];
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, ...args, '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd,
      env: environment(),
      stdio: ['ignore', process.stderr.fd, 'inherit'],
      shell: windows && !known,
      timeout: timeLimitMs,
    });
    child.once('error', (error) => reject(new Error(`npm could not be started: ${error.message}`)));
    child.once('exit', (code, signal) => {
      if (code === 0) {
        resolve();
      } else {
        reject(new Error(`npm ${args.join(' ')} ended with ${signal ?? `exit code ${code}`} in ${cwd}`));
      }
    });
  });
};
