import { Cell } from '@ton/core';
import * as vscode from 'vscode';
import type { ExecutionTarget, RanGetMethod } from '../../commandTargets';
import { setContextKey } from '../../contextKeys';
import { asCommand } from '../../contributions';
import { shortAddress } from '../../toolkit/address/shortAddress';
import { gasByLine } from '../../toolkit/gas/gasByLine';
import { messageKey, methodKey } from '../../toolkit/gas/gasKeys';
import type { Compared, GasReport, MeasuredRun } from '../../toolkit/gas/gasReport';
import { gasReport, measureRun } from '../../toolkit/gas/gasReport';
import { gasChange, gasShare, sharePercent } from '../../toolkit/gas/gasWords';
import { knownMethodName as methodName } from '../../toolkit/getMethods/knownMethodName';
import { keepNewest } from '../../toolkit/base/collections';
import { replayedCode } from '../../toolkit/replay/replayedCode';
import { vmPhaseOf } from '../../toolkit/replay/replayErrors';
import { instructionSteps } from '../../toolkit/sourceMap/instructionMap';
import type { MappedSteps } from '../../toolkit/sourceMap/mapSteps';
import type { FunctionGas, LineGas } from '../../toolkit/sourceMap/profileOf';
import { isLibraryFile } from '../../toolkit/sourceMap/sourceMap';
import { isSuccessCode } from '../../toolkit/contracts/standardExitCode';
import { groupDigits } from '../../toolkit/base/text';
import { counted } from '../../toolkit/trace/figures';
import { sourceAnswers } from '../getMethods/copyCallCommand';
import { gasFigures } from '../getMethods/gasFigures';
import { describeDeployed } from '../project/methodsOf';
import { plainLensText } from '../ui/plainText';
import { LensChanges } from '../ui/readOnlyDocuments';
import { withProgress } from '../ui/withProgress';
import { findReplayTarget, openInWindow } from './findReplayTarget';
import type { ReplayServices } from './replays';
import { methodLines, replayHasThrown, replayLines, replaySubject, replayTitle } from './showReplay';

/** Measured runs that later ones can be compared with; the oldest are forgotten. */
const mostMeasured = 100;
/** From this part of the gas on, a line is one of the expensive ones. */
const expensive = 0.1;

/** The gas of a file, until it changes. */
interface FileGas {
  uri: vscode.Uri;
  functions: readonly Compared<FunctionGas>[];
  lines: readonly Compared<LineGas>[];
}

/**
 * Gas in the sources: lenses above functions and figures after lines, of the runs that were asked for last, until they
 * are hidden. Those of a file go when it changes, because its lines are then no longer those that ran.
 */
export class GasMarks implements vscode.Disposable, vscode.CodeLensProvider {
  readonly #figures: ReturnType<typeof gasFigures>;
  readonly #measured = new Map<string, MeasuredExecution>();
  readonly #changed = new Set<string>();
  #runs: readonly MeasuredExecution[] = [];
  #report: GasReport | undefined;
  #files = new Map<string, FileGas>();
  readonly #lensesChanged = new LensChanges();
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;
  readonly #usual = figureType('editorCodeLens.foreground');
  readonly #expensive = figureType('editorWarning.foreground');
  readonly #parts: vscode.Disposable;

  constructor(services: ReplayServices) {
    this.#figures = gasFigures(services);
    this.#parts = vscode.Disposable.from(
      this.#usual,
      this.#expensive,
      this.#lensesChanged,
      vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this),
      this.#figures.onDidChange(() => this.#update()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.#draw()),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const file = document.uri.toString();
        if (contentChanges.length > 0 && this.#files.has(file)) {
          this.#changed.add(file);
          this.#update();
        }
      }),
    );
  }

  /** The runs whose gas is shown. */
  shown(): readonly MeasuredExecution[] {
    return this.#runs;
  }

  /** The runs that were measured in this session, the newest first. */
  measured(): MeasuredExecution[] {
    return [...this.#measured.values()].reverse();
  }

  /** Keeps a run to compare later ones with. */
  keep(run: MeasuredExecution): void {
    keepNewest(this.#measured, run.id, run, mostMeasured);
    if (run.key !== undefined) {
      this.#figures.noteLines(run.key, gasByLine(run.profile, fileInWorkspace));
    }
  }

  /** Shows the gas of runs, and opens the source where most of it was spent if none of them is visible. */
  async show(runs: readonly MeasuredExecution[]): Promise<void> {
    runs.forEach((run) => this.keep(run));
    this.#runs = runs;
    this.#changed.clear();
    this.#update();
    setContextKey(vscode.commands, 'tonWorkbench.gasShown', runs.length > 0);
    const [first] = this.#files.values();
    if (first === undefined) {
      return;
    }
    const start = new vscode.Position(first.functions[0]!.line - 1, 0);
    const selection = new vscode.Range(start, start);
    const visible = vscode.window.visibleTextEditors.find(({ document }) =>
      this.#files.has(document.uri.toString()),
    );
    if (visible === undefined) {
      await vscode.window.showTextDocument(first.uri, { selection });
      this.#draw();
    } else if (visible.document.uri.toString() === first.uri.toString()) {
      visible.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }

  /** Removes all figures. */
  hide(): void {
    void this.show([]);
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const file = this.#files.get(uri.toString());
    if (file === undefined || this.#report === undefined) {
      return [];
    }
    const { gasUsed } = this.#report;
    return file.functions.flatMap(({ line, gas, calls, change }, index) => {
      const range = new vscode.Range(line - 1, 0, line - 1, 0);
      const title = `$(flame) ${gasShare(gas, gasUsed)} · ${counted(calls, 'time')}${changeWords(change)}`;
      const tooltip =
        'Gas of its own lines, with what the library functions use that they call, and without the other functions';
      return [{ title, tooltip, command: '' }, ...(index === 0 ? this.#actions() : [])].map(
        (command) => new vscode.CodeLens(range, command),
      );
    });
  }

  dispose(): void {
    this.#parts.dispose();
  }

  /** The lenses beside the first one: what was measured, and what can be done with it. */
  #actions(): vscode.Command[] {
    const { gasUsed, unmapped, comparison, refused } = this.#report!;
    const [run] = this.#runs;
    const what = this.#runs.length === 1 ? run!.name : counted(this.#runs.length, 'run');
    const change = comparison === undefined ? '' : ` (${gasChange(comparison.change)})`;
    return [
      {
        ...asCommand(
          'tonWorkbench.compareGas',
          plainLensText(`${what}: ${groupDigits(gasUsed)} gas${change}`),
        ),
        tooltip: [
          ...this.#runs.map(({ name, profile }) => `${name}: ${groupDigits(profile.gasUsed)} gas`),
          `${groupDigits(unmapped.gas)} gas has no line: the selection of the method, and methods whose lines are not certain.`,
          ...refused,
        ].join('\n'),
      },
      ...(refused.length === 0
        ? []
        : [
            {
              title: `$(warning) ${counted(refused.length, 'method')} without lines`,
              tooltip: refused.join('\n'),
              command: '',
            },
          ]),
      asCommand('tonWorkbench.compareGas', 'Compare…'),
      asCommand('tonWorkbench.openFlameChart', 'Flame Chart'),
      asCommand('tonWorkbench.saveGasBaseline', 'Save Baseline'),
      asCommand('tonWorkbench.hideGas', 'Hide'),
    ];
  }

  #update(): void {
    const runs = this.#runs.map((run) => ({
      ...run,
      baseline: run.key === undefined ? undefined : this.#figures.baselineOf(run.key),
    }));
    this.#report = runs.length === 0 ? undefined : gasReport(runs, fileInWorkspace);
    this.#files = new Map();
    for (const one of this.#report?.functions ?? []) {
      const uri = vscode.Uri.file(one.file);
      if (!isLibraryFile(one.file) && !this.#changed.has(uri.toString())) {
        const known = this.#files.get(uri.toString()) ?? { uri, functions: [], lines: [] };
        this.#files.set(uri.toString(), {
          uri,
          functions: [...known.functions, one],
          lines: this.#report!.lines.filter(({ file }) => file === one.file),
        });
      }
    }
    this.#draw();
    this.#lensesChanged.fire();
  }

  #draw(): void {
    const total = this.#report?.gasUsed ?? 0;
    const isExpensive = ({ gas }: LineGas): boolean => gas >= expensive * total;
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      const known = this.#files.get(document.uri.toString())?.lines ?? [];
      const lines = known.filter(({ line }) => line <= document.lineCount);
      const figures = (shown: readonly Compared<LineGas>[]): vscode.DecorationOptions[] =>
        shown.map((line) => figureOf(line, total, document));
      editor.setDecorations(this.#usual, figures(lines.filter((line) => !isExpensive(line))));
      editor.setDecorations(this.#expensive, figures(lines.filter(isExpensive)));
    }
  }
}

function figureType(color: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor(color), margin: '0 0 0 2em' },
  });
}

function figureOf(
  { line, gas, steps, change }: Compared<LineGas>,
  total: number,
  document: vscode.TextDocument,
): vscode.DecorationOptions {
  const { end } = document.lineAt(line - 1).range;
  const words = `${groupDigits(gas)} gas · ${sharePercent(gas, total)}${changeWords(change)}`;
  return {
    range: new vscode.Range(end, end),
    hoverMessage: new vscode.MarkdownString().appendText(`${words}, ${counted(steps, 'instruction')}`),
    renderOptions: { after: { contentText: words } },
  };
}

/** ` · +12`; nothing if there is no baseline, or no change. */
function changeWords(change: number | undefined): string {
  return change === undefined || change === 0 ? '' : ` · ${gasChange(change)}`;
}

/** An execution that ran again step by step. */
export interface ExecutionRun {
  /** The same for the same execution. */
  id: string;
  /** To run it again. */
  target: ExecutionTarget;
  /** `Till Withdraw`, `Till limit()`, or the title of a replay. */
  name: string;
  /** What it is called in a baseline; undefined if it failed or its message has no name. */
  key: string | undefined;
  /** Whose code ran, for people. */
  contract: string;
  /** Whether it ran any code. */
  hasRun: boolean;
  /** Undefined if its lines are not known. */
  steps: MappedSteps | undefined;
  /** Its steps by instruction, for code without a source here; undefined if no code ran. */
  byInstruction: () => Promise<MappedSteps | undefined>;
}

/** An execution whose gas is known line by line. */
export interface MeasuredExecution
  extends MeasuredRun, Omit<ExecutionRun, 'steps' | 'hasRun' | 'byInstruction'> {}

/** How files are named in figures and baselines. */
export function fileInWorkspace(file: string): string {
  return isLibraryFile(file) ? file : vscode.workspace.asRelativePath(vscode.Uri.file(file));
}

/** Whether an execution is that of a get-method. */
function isCall(target: ExecutionTarget): target is RanGetMethod {
  return typeof target === 'object' && 'method' in target;
}

/**
 * Runs an execution again, with its source lines.
 *
 * @returns undefined if the user canceled
 * @throws WorkbenchError as `findReplayTarget`, `openInWindow`, `methodLines`
 */
export async function runExecution(
  services: ReplayServices,
  title: string,
  target: ExecutionTarget | undefined,
): Promise<ExecutionRun | undefined> {
  if (target !== undefined && isCall(target)) {
    return runCall(services, target);
  }
  const found = await findReplayTarget(services, title, target, { rehearsals: true });
  if (found === undefined) {
    return undefined;
  }
  const replay = await openInWindow(services, found);
  const steps = await withProgress('Finding the source lines', (signal) =>
    replayLines(services, replay, signal),
  );
  const { key: id, contract, message, report } = replay;
  const name = contract === undefined || message === undefined ? undefined : messageKey(contract, message);
  return {
    ...{ id, steps, name: name ?? replayTitle(replay) },
    byInstruction: async () => {
      const recording = await withProgress('Reading the code', (signal) =>
        services.replays.recording(replay, signal),
      );
      return recording && instructionSteps(recording, { ...replayedCode(report.replay), methodName });
    },
    target: target ?? { replay: id },
    hasRun: vmPhaseOf(report.replay.replayed) !== undefined,
    key: replayHasThrown(report) ? undefined : name,
    contract: contract ?? replaySubject(report),
  };
}

/** The gas of a run; undefined if its lines are not known. */
export function measured(run: ExecutionRun): MeasuredExecution | undefined {
  const { steps, hasRun: _, byInstruction: __, ...rest } = run;
  return steps === undefined ? undefined : { ...rest, ...measureRun(steps) };
}

async function runCall(services: ReplayServices, call: RanGetMethod): Promise<ExecutionRun> {
  const { address, method, stack, network } = call;
  const { inputs, lines, exitCode, recording } = await withProgress(
    `Running ${method} step by step`,
    (signal) => methodLines(services, call, signal),
  );
  const { codeHash } = inputs;
  const { name } = await describeDeployed(services.project, { codeHash });
  const answer = name === undefined ? undefined : sourceAnswers(services).of(name, method);
  const given = answer?.stack === stack ? (answer.typed ?? stack) : stack;
  const contract = name ?? shortAddress(address);
  const key = methodKey(contract, method, given);
  return {
    id: JSON.stringify([network, inputs.address, method, stack, codeHash]),
    target: call,
    name: key,
    key: name === undefined || !isSuccessCode(exitCode) ? undefined : key,
    contract,
    hasRun: true,
    steps: lines,
    byInstruction: () =>
      instructionSteps(recording, { code: Cell.fromBase64(inputs.code), codeHash, methodName }),
  };
}
