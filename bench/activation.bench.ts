// Load and activate() times of the packed extension compared with an empty one, from the editor's own startup
// report: several starts, each with both extensions.
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
import { startWebHost } from '../scripts/webHost.mjs';
import { median } from './support/median';
import { report } from './support/report';

/** Number of starts for each order. */
const starts = 5;
const ours = 'ton-workbench.ton-workbench';
const empty = 'ton-workbench.empty-probe';

interface Both {
  ours: Times;
  empty: Times;
}

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

/** Writes an extension to a separate folder. */
async function writeExtension(name: string, files: Record<string, string>): Promise<string> {
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
    ...('extension.js' in files ? { main: './extension.js', activationEvents: [] } : {}),
  };
  const all = { 'package.json': JSON.stringify(manifest), 'README.md': name, LICENSE: 'MIT', ...files };
  for (const [file, text] of Object.entries(all)) {
    await writeFile(path.join(folder, file), text);
  }
  return folder;
}

/** Both are packed and installed, as users have them. */
async function installBoth(): Promise<void> {
  const probe = await writeExtension('empty-probe', {
    'extension.js': "import * as vscode from 'vscode';\nexport function activate() { void vscode; }\n",
  });
  const packed = path.join(scratch, 'probe.vsix');
  await createVSIX({ cwd: probe, packagePath: packed, dependencies: false, allowMissingRepository: true });
  await installExtension(packed, extensions);
  await packExtension(path.join(scratch, 'ours.vsix'));
  await installExtension(path.join(scratch, 'ours.vsix'), extensions);
}

/**
 * Runs inside the extension host: activates both extensions in turn, and writes the startup report to a file.
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
    if (${JSON.stringify([ours, empty])}.every((id) => text.includes(id))) {
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

await installBoth();
const reader = await writeExtension('reader', { 'readReport.cjs': readReport });
const browser = await launchBrowser();
onEnd(() => browser.close());

async function startOnce(order: string[]): Promise<Both> {
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
    return { ours: readTimes(text, ours), empty: readTimes(text, empty) };
  } finally {
    await page.close();
    await host.stop();
  }
}

// The first start reads everything from disk, so it does not count.
await startOnce([ours, empty]);
const oursFirst: Both[] = [];
const emptyFirst: Both[] = [];
for (let start = 0; start < starts; start += 1) {
  oursFirst.push(await startOnce([ours, empty]));
  emptyFirst.push(await startOnce([empty, ours]));
}

const load = (runs: Both[], whose: keyof Both): number => median(runs.map((run) => run[whose].load));
const activate = (whose: keyof Both): number =>
  median([...oursFirst, ...emptyFirst].map((run) => run[whose].activate));
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
]);
await endProcess(0);
