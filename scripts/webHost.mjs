// A VS Code server with the web workbench, for one run.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { onEnd } from './lib/cleanUp.mjs';
import { installWebHost } from './lib/installWebHost.mjs';
import { endProcessTree } from './lib/processTree.mjs';
import { writeSettings } from './lib/webHostSettings.mjs';

/**
 * @typedef {object} WebHost
 * @property {string} origin `http://127.0.0.1:PORT`
 * @property {number} pid
 * @property {string} dataFolder settings, state, extensions and logs of this run
 * @property {(content: AddressContent) => string} address what to open in a browser; it holds the connection token
 * @property {() => string} log what the server printed
 * @property {Promise<void>} ended resolves when the server has ended, for whatever reason
 * @property {() => Promise<void>} stop ends the server with everything it started, and removes the data folder
 */

/**
 * @typedef {object} AddressContent
 * @property {string} folder opened as the workspace
 * @property {string} [extension] loaded as the development extension
 * @property {string} [tests] a tests module, run in the extension host in test mode
 */

/**
 * @typedef {object} WebHostOptions
 * @property {Record<string, string | undefined>} [env] added to the environment, which the extension host inherits
 * @property {Record<string, unknown>} [settings] the user's settings
 * @property {boolean} [gallery] false: the editor does not look for extensions on the network
 * @property {boolean} [trust] false: the workspace is not trusted until somebody says so
 * @property {string} [extensionsFolder] where extensions were installed before
 * @property {import('./lib/installNewestHost.mjs').EditorHost} [editor] another VS Code than the oldest that is supported
 * @property {number} [timeLimitMs] for the server to become ready
 */

/** @param {string} file */
const remotePath = (file) => {
  const slashed = path.resolve(file).replaceAll('\\', '/');
  return slashed.startsWith('/') ? slashed : `/${slashed}`;
};

/**
 * @param {string} origin
 * @param {string} token
 * @returns {WebHost['address']}
 */
const addressOf = (origin, token) => {
  const authority = new URL(origin).host;
  /** @param {string} file */
  const remote = (file) => `vscode-remote://${authority}${remotePath(file)}`;
  return ({ folder, extension, tests }) => {
    const payload = [
      ...(extension === undefined ? [] : [['extensionDevelopmentPath', remote(extension)]]),
      ...(tests === undefined
        ? []
        : [
            ['extensionTestsPath', remote(tests)],
            ['skipWelcome', 'true'],
          ]),
    ];
    const query = new URLSearchParams({
      tkn: token,
      folder: remotePath(folder),
      payload: JSON.stringify(payload),
    });
    return `${origin}/?${query.toString().replaceAll('+', '%20')}`;
  };
};

/** An editor around us must not be taken for the one that we start. */
const cleanEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VSCODE_(?!TEST)|ELECTRON_|NODE_OPTIONS$)/.test(name)),
  );

/**
 * @param {import('node:child_process').ChildProcess} server
 * @param {() => string} log
 * @param {number} timeLimitMs
 * @returns {Promise<string>} the origin, once it answers
 */
const ready = async (server, log, timeLimitMs) => {
  const end = Date.now() + timeLimitMs;
  while (Date.now() < end) {
    if (server.exitCode !== null || server.signalCode !== null) {
      throw new Error(`The VS Code server ended at start.\n${log()}`);
    }
    const port = /listening on (\d+)/.exec(log())?.[1];
    const origin = `http://127.0.0.1:${port}`;
    if (port !== undefined && (await fetch(`${origin}/version`).catch(() => undefined))?.ok) {
      return origin;
    }
    await sleep(50);
  }
  throw new Error(`The VS Code server was not ready within ${timeLimitMs / 1000} s.\n${log()}`);
};

/**
 * @param {string} dataFolder
 * @returns {Promise<{ token: string, file: string }>} a new secret, and where only this user can read it
 */
const makeToken = async (dataFolder) => {
  const token = randomBytes(24).toString('base64url');
  const file = path.join(dataFolder, 'connection-token');
  await writeFile(file, token, { mode: 0o600 });
  return { token, file };
};

/** @param {string} name */
const preload = (name) => ['--import', pathToFileURL(path.join(import.meta.dirname, 'lib', name)).href];

/**
 * Starts a VS Code server on a free port of 127.0.0.1 with a fresh data folder. It serves only who has the connection
 * token, and only under its own address: neither other users of this machine nor web pages.
 * @param {WebHostOptions} [options]
 * @returns {Promise<WebHost>}
 */
export const startWebHost = async (options = {}) => {
  const { main, node } = options.editor ?? { main: await installWebHost(), node: process.execPath };
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'ton-workbench-host-'));
  await writeSettings(dataFolder, options.settings ?? {});
  const { token, file: tokenFile } = await makeToken(dataFolder);
  // Sockets go where they are removed with everything else.
  const places = process.platform === 'linux' ? { XDG_RUNTIME_DIR: dataFolder } : {};
  const gallery = options.gallery === false ? { EXTENSIONS_GALLERY: '{"serviceUrl":""}' } : {};
  const server = spawn(
    node,
    [
      ...[...preload('exitWithParent.mjs'), ...preload('loopbackGate.mjs'), main],
      ...['--host', '127.0.0.1', '--port', '0'],
      // By file: every user of a machine can read the command lines of all its processes.
      ...['--connection-token-file', tokenFile, '--accept-server-license-terms'],
      ...['--server-data-dir', dataFolder, '--telemetry-level', 'off'],
      ...(options.extensionsFolder === undefined ? [] : ['--extensions-dir', options.extensionsFolder]),
      ...(options.trust === false ? [] : ['--disable-workspace-trust']),
    ],
    {
      env: { ...cleanEnvironment(), ...places, ...gallery, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  }
  server.on('error', (error) => (output += error.message));
  const pid = server.pid ?? 0;
  /** @type {Promise<void>} */
  const ended = new Promise((resolve) => void server.once('exit', () => resolve()));
  const stop = async () => {
    forget();
    if (pid !== 0) {
      await endProcessTree(pid);
    }
    await rm(dataFolder, { recursive: true, force: true, maxRetries: 5 });
  };
  const forget = onEnd(stop);
  try {
    const origin = await ready(server, () => output, options.timeLimitMs ?? 60_000);
    return { origin, pid, dataFolder, address: addressOf(origin, token), log: () => output, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
