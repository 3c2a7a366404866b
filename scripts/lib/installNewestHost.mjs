import { execFile } from 'node:child_process';
import { chmod, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { installPackage } from './installPackage.mjs';
import { runNpm } from './npm.mjs';
import { cacheFolder } from './root.mjs';

/**
 * @typedef {object} EditorHost
 * @property {string} main the server's main file
 * @property {string} node the Node.js that it runs on
 */

const inside = 'node_modules/code-server/lib/vscode';

/**
 * A field of the newest version in a range, from the npm registry.
 * @param {string} range such as `code-server@latest`
 * @param {string} field
 * @returns {Promise<unknown>}
 */
const ask = async (range, field) => {
  const { stdout } = await promisify(execFile)('npm', ['view', range, field, '--json'], {
    shell: process.platform === 'win32',
  });
  const found = JSON.parse(stdout);
  // In order of publication, which is not version order.
  return Array.isArray(found) ? found.sort(byVersion).at(-1) : found;
};

/** @param {string} a @param {string} b */
const byVersion = (a, b) => a.localeCompare(b, 'en', { numeric: true });

/**
 * Runs npm with the Node.js that the package will run on, so that its install scripts use it too.
 * @param {string} node
 * @param {() => Promise<unknown>} work
 */
const withNode = async (node, work) => {
  const before = process.env['PATH'];
  process.env['PATH'] = `${path.dirname(node)}${path.delimiter}${before}`;
  try {
    return await work();
  } finally {
    process.env['PATH'] = before;
  }
};

/** @param {string} folder */
const nodeIn = (folder) =>
  path.join(
    folder,
    `node_modules/node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`,
    process.platform === 'win32' ? 'bin/node.exe' : 'bin/node',
  );

/**
 * @param {string} folder
 * @returns {Promise<string>} the version of the VS Code inside
 */
const editorVersion = async (folder) =>
  JSON.parse(await readFile(path.join(folder, inside, 'package.json'), 'utf8')).version;

/**
 * The newest VS Code server that npm has, with the Node.js it requires, installed into the cache folder on first use.
 * It compiles a native module, so the installation needs make and a C++ compiler.
 * @returns {Promise<EditorHost & { description: string }>}
 */
export const installNewestHost = async () => {
  const version = String(await ask('code-server@latest', 'version'));
  const wanted = await ask(`code-server@${version}`, 'engines.node');
  const runtime = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const nodeVersion = String(await ask(`${runtime}@${String(wanted)}`, 'version'));
  const folder = path.join(cacheFolder, 'web-host', `newest-${version}-node-${nodeVersion}`);
  await installPackage({
    name: 'code-server',
    version,
    folder,
    purpose: `the newest VS Code there, with Node.js ${nodeVersion} (about 1 GB on disk, once)`,
    finish: async (draft) => {
      const install = ['install', '--ignore-scripts', '--no-package-lock', '--no-save'];
      await runNpm([...install, `${runtime}@${nodeVersion}`], { cwd: draft });
      await chmod(nodeIn(draft), 0o755);
      const cwd = path.join(draft, inside);
      await withNode(nodeIn(draft), async () => {
        await runNpm(['install', '--omit=dev', '--ignore-scripts'], { cwd });
        await runNpm(['rebuild', '@vscode/native-watchdog', '--ignore-scripts=false'], { cwd });
      });
    },
  });
  return {
    main: path.join(folder, inside, 'out/server-main.js'),
    node: nodeIn(folder),
    description: `VS Code ${await editorVersion(folder)} (code-server ${version}) on Node.js ${nodeVersion}`,
  };
};
