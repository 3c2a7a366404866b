import * as vscode from 'vscode';
import type { ExecutionTarget } from '../../commandTargets';
import { asCommand } from '../../contributions';
import { compareGas } from '../../toolkit/gas/compareGas';
import type { GasByLine } from '../../toolkit/gas/gasByLine';
import { gasByLine } from '../../toolkit/gas/gasByLine';
import { gasComparisonText } from '../../toolkit/gas/gasComparisonText';
import { gasWords } from '../../toolkit/gas/gasWords';
import { counted } from '../../toolkit/trace/figures';
import { gasFigures } from '../getMethods/gasFigures';
import type { ExecutionRun, GasMarks, MeasuredExecution } from './gasMarks';
import { fileInWorkspace, measured, runExecution } from './gasMarks';
import { chooseTargets, knownRuns } from './knownRuns';
import type { ReplayServices } from './replays';

/** TON: Show Gas…: shows in the sources where the gas of a run was spent, or of the last runs of a contract. */
export async function showGasCommand(
  services: ReplayServices,
  marks: GasMarks,
  given: ExecutionTarget | vscode.Uri | undefined,
): Promise<void> {
  const title = 'TON: Show Gas';
  const targets = await chooseTargets(services, title, given);
  const runs: ExecutionRun[] = [];
  const found: MeasuredExecution[] = [];
  for (const target of targets ?? []) {
    const run = await runExecution(services, title, target);
    if (run === undefined) {
      return;
    }
    runs.push(run);
    const one = measured(run);
    found.push(...(one === undefined ? [] : [one]));
  }
  const without = runs.filter(({ steps }) => steps === undefined);
  if (found.length > 0) {
    await marks.show(found);
  }
  if (without.length > 0) {
    tellWithoutLines(without, runs.length);
  }
}

/** TON: Compare Gas With…: two runs of a method or message, line by line; one of them can be the baseline. */
export async function compareGasCommand(services: ReplayServices, marks: GasMarks): Promise<void> {
  const now = await chooseMeasured(services, marks);
  if (now === undefined) {
    return;
  }
  const before = await chooseBefore(services, marks, now);
  if (before === undefined) {
    return;
  }
  const title = `gas of ${now.name}, compared with ${before.title}`;
  const text = gasComparisonText(compareGas(before.gas, gasByLine(now.profile, fileInWorkspace)));
  const path = `gas/${encodeURIComponent(`${before.id} ${now.id}`)}/${title.replaceAll(/[/\\]/g, ' ')}`;
  const lenses = [asCommand('tonWorkbench.compareGas', '$(diff) Compare With…')];
  await services.documents.show(path, { text: `${title}\n\n${text}\n`, lenses }, { language: 'ton-report' });
}

/** Says why there is nothing to show for some runs. */
export function tellWithoutLines(without: readonly ExecutionRun[], all: number): void {
  const [first] = without;
  const which =
    without.length === 1 ? first!.name : `${without.length} of ${counted(all, 'run')} (${first!.name}, …)`;
  const reason = !first!.hasRun
    ? 'it ran no code'
    : vscode.workspace.isTrusted
      ? `no source in this workspace compiles to the code of ${first!.contract} that ran. The source may have changed since`
      : 'lines are known only in a trusted workspace, where sources can be compiled';
  void vscode.window.showInformationMessage(`The lines of ${which} are not known: ${reason}.`);
}

/** The run that is shown; one of several is asked for. */
async function chooseMeasured(
  services: ReplayServices,
  marks: GasMarks,
): Promise<MeasuredExecution | undefined> {
  const title = 'TON: Compare Gas';
  const shown = marks.shown();
  if (shown.length === 1) {
    return shown[0];
  }
  if (shown.length > 1) {
    const items = shown.map((run) => ({
      label: run.name,
      description: gasWords(run.profile.gasUsed, undefined),
      run,
    }));
    const placeHolder = 'Choose the run to compare';
    return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.run;
  }
  const targets = await chooseTargets(services, title, undefined, { one: true });
  return targets === undefined ? undefined : measureOne(services, marks, title, targets[0]);
}

async function measureOne(
  services: ReplayServices,
  marks: GasMarks,
  title: string,
  target: ExecutionTarget | undefined,
): Promise<MeasuredExecution | undefined> {
  const run = await runExecution(services, title, target);
  const found = run && measured(run);
  if (found !== undefined) {
    marks.keep(found);
  } else if (run !== undefined) {
    tellWithoutLines([run], 1);
  }
  return found;
}

/** What a run is compared with. */
interface Before {
  id: string;
  title: string;
  gas: GasByLine;
}

/** The baseline, runs that were measured before, whose source may have changed since, and others that can run again. */
async function chooseBefore(
  services: ReplayServices,
  marks: GasMarks,
  now: MeasuredExecution,
): Promise<Before | undefined> {
  const baseline = now.key === undefined ? undefined : gasFigures(services).baselineOf(now.key);
  const before = (run: MeasuredExecution): Before => {
    const gas = gasByLine(run.profile, fileInWorkspace);
    return { id: run.id, title: run.name === now.name ? 'another run' : run.name, gas };
  };
  const isSame = ({ name }: { name: string }): number => (name === now.name ? 0 : 1);
  const others = marks
    .measured()
    .filter((run) => run.id !== now.id)
    .sort((a, b) => isSame(a) - isSame(b));
  const file = vscode.window.activeTextEditor?.document.uri;
  const runs = file?.scheme === 'file' ? await knownRuns(services, file) : [];
  const title = `TON: Compare the Gas of ${now.name} With`;
  const items: (vscode.QuickPickItem & { choose?: () => Promise<Before | undefined> })[] = [
    ...(typeof baseline === 'object'
      ? [
          {
            label: '$(bookmark) The baseline',
            description: gasWords(baseline.gas, undefined),
            choose: () => Promise.resolve({ id: 'baseline', title: 'the baseline', gas: baseline }),
          },
        ]
      : []),
    ...others.map((run) => ({
      label: `$(flame) ${run.name}`,
      description: `${gasWords(run.profile.gasUsed, undefined)}  measured in this window`,
      choose: () => Promise.resolve(before(run)),
    })),
    ...runs.map(({ label, description, target }) => ({
      label,
      description,
      choose: async () => {
        const run = await measureOne(services, marks, title, target);
        return run && before(run);
      },
    })),
  ];
  if (items.length === 0) {
    void vscode.window.showInformationMessage(
      `There is nothing to compare ${now.name} with yet. Save a baseline with its lines, or show the gas of another run.`,
    );
    return undefined;
  }
  const placeHolder = 'Choose what it is compared with';
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true });
  return picked?.choose?.();
}
