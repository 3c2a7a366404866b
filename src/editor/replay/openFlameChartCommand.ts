import * as vscode from 'vscode';
import type { ExecutionTarget } from '../../commandTargets';
import { cpuProfile } from '../../toolkit/sourceMap/cpuProfile';
import { chooseTargets } from './knownRuns';
import { tellWithoutLines } from './gasCommands';
import type { GasMarks } from './gasMarks';
import { runExecution } from './gasMarks';
import type { ReplayServices } from './replays';

/** The editor's own view of profiles, and the built-in extension that brings it. */
const profileView = 'jsProfileVisualizer.cpuprofile.table';
const profileExtension = 'ms-vscode.vscode-js-profile-table';
/** Charts that are kept; the oldest are deleted. */
const mostCharts = 20;

/**
 * TON: Open Flame Chart: opens an execution in the editor's profile view, with gas as time: a unit is a microsecond.
 * Without an execution, it is the one whose gas is shown. Code without a source here is shown by its instructions.
 */
export async function openFlameChartCommand(
  services: ReplayServices,
  marks: GasMarks | undefined,
  given: ExecutionTarget | vscode.Uri | undefined,
): Promise<void> {
  const title = 'TON: Open Flame Chart';
  const shown = marks?.shown() ?? [];
  const targets =
    given === undefined && shown.length > 0
      ? await chooseShown(title, shown)
      : await chooseTargets(services, title, given, { one: true });
  if (targets === undefined) {
    return;
  }
  const run = await runExecution(services, title, targets[0]);
  if (run === undefined) {
    return;
  }
  const steps = run.steps ?? (await run.byInstruction());
  if (steps === undefined) {
    tellWithoutLines([run], 1);
    return;
  }
  if (run.steps === undefined) {
    void vscode.window.setStatusBarMessage(`No source of ${run.contract} here: by instruction`, 8000);
  }
  const file = await writeChart(services, run.name, JSON.stringify(cpuProfile(steps)));
  if (vscode.extensions.getExtension(profileExtension) === undefined) {
    const open = await vscode.window.showInformationMessage(
      'The editor shows profiles with its built-in extension "Table Visualizer for JavaScript Profiles", which is disabled or missing here.',
      'Open as Text',
    );
    if (open !== undefined) {
      await vscode.window.showTextDocument(file);
    }
    return;
  }
  await vscode.commands.executeCommand('vscode.openWith', file, profileView);
}

async function chooseShown(
  title: string,
  shown: ReturnType<GasMarks['shown']>,
): Promise<ExecutionTarget[] | undefined> {
  if (shown.length === 1) {
    return [shown[0]!.target];
  }
  const items = shown.map(({ name, target }) => ({ label: name, target }));
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder: 'Choose the run' });
  return picked === undefined ? undefined : [picked.target];
}

/** Writes a chart where the extension keeps its files. */
async function writeChart({ context }: ReplayServices, name: string, text: string): Promise<vscode.Uri> {
  const folder = vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, 'flame-charts');
  const { fs } = vscode.workspace;
  await fs.createDirectory(folder);
  const file = vscode.Uri.joinPath(folder, `${name.replaceAll(/[^\w.-]+/g, '-').slice(0, 80)}.cpuprofile`);
  await fs.writeFile(file, Buffer.from(text));
  const charts = await Promise.all(
    (await fs.readDirectory(folder)).map(async ([one]) => {
      const uri = vscode.Uri.joinPath(folder, one);
      return { uri, at: (await fs.stat(uri)).mtime };
    }),
  );
  const old = charts.sort((a, b) => b.at - a.at).slice(mostCharts);
  await Promise.all(old.map(({ uri }) => fs.delete(uri)));
  return file;
}
