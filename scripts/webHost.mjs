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
import { wasmFlags } from './lib/wasmFlags.mjs';
import { writeSettings } from './lib/webHostSettings.mjs';

/**
 * @typedef {object} WebHost
 * @property {string} origin `http://127.0.0.1:PORT`
 * @property {number} pid
 * @property {string} dataFolder settings, state, extensions and logs of this run
 * @property {(content: AddressContent) => string} address the URL for a browser, with the connection token
 * @property {() => string} log the server's output
 * @property {Promise<void>} ended resolves when the server has ended, for any reason
 * @property {() => Promise<void>} stop ends the server and all its descendants, and removes the data folder
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
 * @property {boolean} [trust] false: the workspace is not trusted until the user says so
 * @property {string} [extensionsFolder] a folder with extensions already installed
 * @property {import('./lib/installNewestHost.mjs').EditorHost} [editor] by default the oldest supported VS Code
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

/** An editor that this runs inside must not be mistaken for the one we start. */
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
 * Starts a VS Code server on a free port of 127.0.0.1 with a fresh data folder. It requires the connection token and
 * its own address in Host and Origin, which keeps out other users of this machine and web pages.
 * @param {WebHostOptions} [options]
 * @returns {Promise<WebHost>}
 */
export const startWebHost = async (options = {}) => {
  const { main, node } = options.editor ?? { main: await installWebHost(), node: process.execPath };
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'ton-workbench-host-'));
  await writeSettings(dataFolder, options.settings ?? {});
  const { token, file: tokenFile } = await makeToken(dataFolder);
  // Sockets go into the folder that is removed with everything else.
  const places = process.platform === 'linux' ? { XDG_RUNTIME_DIR: dataFolder } : {};
  const gallery = options.gallery === false ? { EXTENSIONS_GALLERY: '{"serviceUrl":""}' } : {};
  const server = spawn(
    node,
    [
      // Its children start with the same: the extension host, too, runs the TVM and compilers for a moment only.
      ...(options.editor === undefined ? wasmFlags : []),
      ...[...preload('exitWithParent.mjs'), ...preload('loopbackGate.mjs')],
      ...(process.env['TONWB_RECORD'] === undefined ? [] : preload('recordReach.mjs')),
      main,
      ...['--host', '127.0.0.1', '--port', '0'],
      // In a file: every user of a machine can read all command lines.
      ...['--connection-token-file', tokenFile, '--accept-server-license-terms'],
      ...['--server-data-dir', dataFolder, '--telemetry-level', 'off', '--disable-websocket-compression'],
      ...(options.extensionsFolder === undefined ? [] : ['--extensions-dir', options.extensionsFolder]),
      ...(options.trust === false ? [] : ['--disable-workspace-trust']),
    ],
    {
      // Else the extension host gets the environment of a login shell: another PATH, and maybe another Node.js in it.
      env: { ...cleanEnvironment(), ...places, ...gallery, VSCODE_CLI: '1', ...options.env },
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
