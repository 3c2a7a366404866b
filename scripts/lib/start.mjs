import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startWebHost } from '../webHost.mjs';
import { buildProject } from './build.mjs';
import { isEnding, onEnd } from './cleanUp.mjs';
import { whyNoDesktopEditor } from './desktopEditor.mjs';
import { developmentFolder } from './developmentFolder.mjs';
import { endWithParent } from './endWithParent.mjs';
import { installWebHost } from './installWebHost.mjs';
import { isNoise } from './noise.mjs';
import { openInBrowser } from './openInBrowser.mjs';
import { endProcessTree } from './processTree.mjs';
import { cacheFolder, root } from './root.mjs';
import { say } from './say.mjs';

const examples = path.join(root, 'examples');

/** For a first look: opens our README and suppresses questions about git or ports. */
const settings = {
  // Only a user may set this: it opens a port, so a workspace must not.
  'tonWorkbench.startWithWindow': { localNetwork: true },
  'workbench.startupEditor': 'readme',
  'git.openRepositoryInParentFolders': 'never',
  'remote.autoForwardPorts': false,
};

const desktopFolder = path.join(cacheFolder, 'desktop');

/** The user settings of our own desktop window; the user's changes are kept. */
const writeDesktopSettings = async () => {
  const file = path.join(desktopFolder, 'user-data/User/settings.json');
  if (!existsSync(file)) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(settings, undefined, 2)}\n`);
  }
};

/** @returns {Promise<number>} the exit code, once the window is closed */
const startDesktop = () =>
  new Promise((resolve, reject) => {
    const args = [
      ...['--wait', '--new-window', '--disable-workspace-trust'],
      `--user-data-dir=${path.join(desktopFolder, 'user-data')}`,
      `--extensions-dir=${path.join(desktopFolder, 'extensions')}`,
      `--extensionDevelopmentPath=${root}`,
      examples,
    ];
    const shell = process.platform === 'win32';
    const quoted = shell ? args.map((arg) => `"${arg}"`) : args;
    const editor = spawn('code', quoted, { stdio: ['ignore', process.stderr.fd, 'inherit'], shell });
    editor.once('error', reject);
    editor.once('exit', (code) => resolve(code ?? 1));
    onEnd(() => (editor.pid === undefined ? undefined : endProcessTree(editor.pid)));
    say('VS Code is opening with the extension and the example workspace.');
    say('To stop: close its window, or press Ctrl+C here.');
  });

/**
 * @param {boolean} open
 * @returns {Promise<number>} the exit code, once the server has ended
 */
const startWeb = async (open) => {
  const host = await startWebHost({ settings });
  const extension = await developmentFolder(path.join(host.dataFolder, 'extension'));
  const address = host.address({ folder: examples, extension });
  say('VS Code is running with the extension and the example workspace. Its address:');
  process.stdout.write(`${address}\n`);
  say('It holds the key to this VS Code: keep it to yourself. Nobody outside this machine can reach it.');
  say('To stop: press Ctrl+C here.');
  if (open && !(await openInBrowser(address, path.join(root, 'dist')))) {
    say('Nothing on this system opens addresses: open it in a browser yourself.');
  }
  await host.ended;
  if (!isEnding()) {
    const log = host
      .log()
      .split('\n')
      .filter((line) => !isNoise(line));
    say(`The VS Code server has ended by itself. Its last words:\n${log.slice(-20).join('\n')}`);
  }
  return 1;
};

/**
 * @param {string[]} args
 * @returns {Promise<number>} the exit code
 */
export const start = async (args) => {
  const { values } = parseArgs({
    args,
    options: { web: { type: 'boolean' }, open: { type: 'boolean', default: true } },
    allowNegative: true,
  });
  await endWithParent();
  const why = values.web ? 'Asked for by --web.' : await whyNoDesktopEditor();
  if (why === undefined) {
    await Promise.all([buildProject(), writeDesktopSettings()]);
    return startDesktop();
  }
  say(`${why} Starting the VS Code that runs in a browser.`);
  await Promise.all([buildProject(), installWebHost()]);
  return startWeb(values.open);
};
