// Load and activate() times of the packed extension, from the editor's own startup report, compared with those of an
// empty extension and of one that only registers: it declares the same commands, views and custom editor, registers
// them with nothing behind them, and so shows what VS Code itself takes for them. Several starts, each with all three.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { format } from 'node:util';
import { createVSIX } from '@vscode/vsce';
import { launchBrowser } from '../scripts/browser.mjs';
import { endProcess, onEnd } from '../scripts/lib/cleanUp.mjs';
import { installExtension } from '../scripts/lib/installExtension.mjs';
import { isNoise } from '../scripts/lib/noise.mjs';
import { packExtension } from '../scripts/lib/packExtension.mjs';
import { root } from '../scripts/lib/root.mjs';
import { startWebHost } from '../scripts/webHost.mjs';
import { median } from './support/median';
import { report } from './support/report';

/** Number of starts for each order. */
const starts = 5;
const ours = 'ton-workbench.ton-workbench';
const empty = 'ton-workbench.empty-probe';
const bare = 'ton-workbench.bare-probe';
const all = { ours, empty, bare };

type Start = Record<keyof typeof all, Times>;

interface Times {
  load: number;
  activate: number;
}

const scratch = await mkdtemp(path.join(tmpdir(), 'ton-workbench-activation-'));
onEnd(() => rm(scratch, { recursive: true, force: true }));
const answer = path.join(scratch, 'report.md');
const extensions = path.join(scratch, 'extensions');
const workspace = path.join(scratch, 'workspace');
await mkdir(workspace);

/** Writes an extension to a separate folder; `contributes` as in a manifest. */
async function writeExtension(
  name: string,
  files: Record<string, string>,
  contributes: object = {},
): Promise<string> {
  const folder = path.join(scratch, name);
  await mkdir(folder);
  const manifest = {
    name,
    publisher: 'ton-workbench',
    version: '0.0.1',
    license: 'MIT',
    type: 'module',
    engines: { vscode: '^1.100.0' },
    extensionKind: ['workspace'],
    contributes,
    ...('extension.js' in files ? { main: './extension.js', activationEvents: [] } : {}),
  };
  const contents = { 'package.json': JSON.stringify(manifest), 'README.md': name, LICENSE: 'MIT', ...files };
  for (const [file, text] of Object.entries(contents)) {
    await writeFile(path.join(folder, file), text);
  }
  return folder;
}

/** Packs an extension of one file, and installs it, as users have it. */
async function installProbe(name: string, code: string, contributes?: object): Promise<void> {
  const folder = await writeExtension(name, { 'extension.js': code }, contributes);
  const packed = path.join(scratch, `${name}.vsix`);
  await createVSIX({ cwd: folder, packagePath: packed, dependencies: false, allowMissingRepository: true });
  await installExtension(packed, extensions);
}

interface Manifest {
  contributes: {
    commands: { command: string }[];
    views: Record<string, { id: string }[]>;
    customEditors: { viewType: string }[];
  };
}

async function installAll(): Promise<void> {
  await installProbe(
    'empty-probe',
    "import * as vscode from 'vscode';\nexport function activate() { void vscode; }\n",
  );
  const manifest = await readFile(path.join(root, 'package.json'), 'utf8');
  // Names of its own: two extensions cannot register the same command.
  const renamed = manifest.replaceAll('tonWorkbench', 'bareProbe').replaceAll('"ton', '"bare');
  const { commands, views, customEditors } = (JSON.parse(renamed) as Manifest).contributes;
  await installProbe('bare-probe', registerOnly(commands, Object.values(views).flat(), customEditors), {
    commands,
    views: { explorer: Object.values(views).flat() },
    customEditors,
  });
  await packExtension(path.join(scratch, 'ours.vsix'));
  await installExtension(path.join(scratch, 'ours.vsix'), extensions);
}

function registerOnly(
  commands: { command: string }[],
  views: { id: string }[],
  customEditors: { viewType: string }[],
): string {
  const texts = <T>(list: T[], text: (one: T) => string): string => JSON.stringify(list.map(text));
  return `import * as vscode from 'vscode';
export function activate({ subscriptions }) {
  subscriptions.push(vscode.window.createOutputChannel('Bare', { log: true }));
  for (const command of ${texts(commands, ({ command }) => command)}) {
    subscriptions.push(vscode.commands.registerCommand(command, () => {}));
  }
  const treeDataProvider = { getChildren: () => [], getTreeItem: (item) => item };
  for (const view of ${texts(views, ({ id }) => id)}) {
    subscriptions.push(vscode.window.createTreeView(view, { treeDataProvider }));
  }
  for (const viewType of ${texts(customEditors, ({ viewType }) => viewType)}) {
    subscriptions.push(vscode.window.registerCustomEditorProvider(viewType, { openCustomDocument: () => {} }));
  }
}
`;
}

/**
 * Runs inside the extension host: activates the extensions in turn, and writes the startup report to a file.
 */
const readReport = `const vscode = require('vscode');
const { writeFileSync } = require('node:fs');
exports.run = async () => {
  for (const id of process.env.TONWB_ORDER.split(',')) {
    await vscode.extensions.getExtension(id).activate();
  }
  await vscode.commands.executeCommand('perfview.show');
  for (let text = ''; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    text = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'perf')?.getText() ?? '';
    if (${JSON.stringify(Object.values(all))}.every((id) => text.includes(id))) {
      writeFileSync(${JSON.stringify(answer)}, text);
      return;
    }
  }
};
`;

/** The row of an extension in the report's table: name, eager, load, call, finish, … */
function readTimes(text: string, id: string): Times {
  const row = text.split('\n').find((line) => line.startsWith('|') && line.includes(` ${id} `));
  const cells = (row ?? '').split('|').map((cell) => cell.trim());
  const [load = NaN, activate = NaN] = cells.slice(3, 5).map(Number);
  if (Number.isNaN(load) || Number.isNaN(activate)) {
    throw new Error(`The startup report has no times of ${id}: ${row ?? text}`);
  }
  return { load, activate };
}

await installAll();
const reader = await writeExtension('reader', { 'readReport.cjs': readReport });
const browser = await launchBrowser();
onEnd(() => browser.close());

async function startOnce(order: string[]): Promise<Start> {
  const host = await startWebHost({
    env: { TONWB_ORDER: order.join(',') },
    extensionsFolder: extensions,
    gallery: false,
  });
  const page = await browser.newPage();
  const log: string[] = [];
  try {
    const ended = new Promise<number>((resolve, reject) => {
      void page.exposeFunction('codeAutomationLog', (_type: unknown, args: unknown[]) => {
        log.push(format(...args));
      });
      void page.exposeFunction('codeAutomationExit', resolve);
      setTimeout(() => reject(new Error('The editor did not report within 40 s.')), 40_000).unref();
    });
    await page.goto(
      host.address({ folder: workspace, extension: reader, tests: path.join(reader, 'readReport.cjs') }),
    );
    if ((await ended) !== 0) {
      throw new Error(log.filter((line) => !isNoise(line)).join('\n'));
    }
    const text = await readFile(answer, 'utf8');
    return {
      ours: readTimes(text, ours),
      empty: readTimes(text, empty),
      bare: readTimes(text, bare),
    };
  } finally {
    await page.close();
    await host.stop();
  }
}

// The first start reads everything from disk, so it does not count.
await startOnce([ours, empty, bare]);
const oursFirst: Start[] = [];
const emptyFirst: Start[] = [];
const bareFirst: Start[] = [];
for (let start = 0; start < starts; start += 1) {
  oursFirst.push(await startOnce([ours, empty, bare]));
  emptyFirst.push(await startOnce([empty, bare, ours]));
  bareFirst.push(await startOnce([bare, ours, empty]));
}

const load = (runs: Start[], whose: keyof Start): number => median(runs.map((run) => run[whose].load));
const activate = (whose: keyof Start): number =>
  median([...oursFirst, ...emptyFirst, ...bareFirst].map((run) => run[whose].activate));
const peerName = 'an empty extension';

// The first ES module that a window loads pays for the loader, so each extension is compared with the other
// in the same position.
report([
  {
    name: 'activation: load above empty',
    ours: load(oursFirst, 'ours'),
    peer: load(emptyFirst, 'empty'),
    peerName,
    unit: 'ms',
    goal: '<= 10 ms more',
  },
  {
    name: 'activation: load above empty, after another',
    ours: load(emptyFirst, 'ours'),
    peer: load(oursFirst, 'empty'),
    peerName,
    unit: 'ms',
    goal: '<= 10 ms more',
  },
  {
    name: 'activation: activate()',
    ours: activate('ours'),
    peer: activate('empty'),
    peerName,
    unit: 'ms',
    goal: '<= 5 ms',
  },
  {
    name: 'activation: activate() above registering',
    ours: activate('ours'),
    peer: activate('bare'),
    peerName: 'the same commands and views, nothing behind them',
    unit: 'ms',
    goal: '<= 5 ms more',
  },
]);
await endProcess(0);
