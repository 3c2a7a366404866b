import * as vscode from 'vscode';
import { visibleText } from '../../toolkit/base/text';
import { errorSentences, toWorkbenchError } from '../../toolkit/base/errors';
import type { CallSheet, Place, SheetStep } from '../../toolkit/callSheet/callSheet';
import { parseCallSheet } from '../../toolkit/callSheet/parseCallSheet';
import { exitFact, gasFact } from '../../toolkit/getMethods/getMethodResult';
import { callText, parsedSheet } from './parsedSheet';
import { failuresOf, rangeOf } from './sheetDiagnostics';
import { sheetFiles } from '../../toolkit/callSheet/sheetFiles';
import type { SheetOutcome, SheetRuns } from './sheetRuns';
import { openDocument } from '../ui/openDocument';
import { stepName } from '../../toolkit/callSheet/callSheet';
import { readWorkspaceText } from '../ui/readWorkspaceFile';

/** The workspace's call sheets in the Test Explorer: one group per sheet, one test per step. */
export class SheetTests implements vscode.Disposable {
  readonly #runs: SheetRuns;
  readonly #controller: vscode.TestController;
  readonly #watcher = vscode.workspace.createFileSystemWatcher(sheetFiles.pattern);
  readonly #found: Promise<void>;

  constructor(runs: SheetRuns, controller: vscode.TestController) {
    this.#runs = runs;
    this.#controller = controller;
    this.#controller.createRunProfile(
      'Run',
      vscode.TestRunProfileKind.Run,
      (request, token) => this.#run(request, token),
      true,
    );
    const read = (uri: vscode.Uri): void => void this.#read(uri);
    this.#watcher.onDidCreate(read);
    this.#watcher.onDidChange(read);
    this.#watcher.onDidDelete((uri) => this.#controller.items.delete(uri.toString()));
    this.#controller.refreshHandler = () => this.#find();
    this.#found = this.#find();
  }

  dispose(): void {
    this.#watcher.dispose();
  }

  /** Resolves once the workspace's sheets are listed. */
  found(): Promise<void> {
    return this.#found;
  }

  /** An unsaved document is gone once its tab is closed. */
  close({ uri }: vscode.TextDocument): void {
    if (uri.scheme === 'untitled') {
      this.#controller.items.delete(uri.toString());
    }
  }

  /** Updates the tests from an open sheet. */
  update(document: vscode.TextDocument): vscode.TestItem {
    return this.#list(document.uri, parsedSheet(document), (place) => rangeOf(document, place));
  }

  #list(uri: vscode.Uri, sheet: CallSheet, rangeOfPlace: (place: Place) => vscode.Range): vscode.TestItem {
    const known = this.#controller.items.get(uri.toString());
    const item =
      known ?? this.#controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    const seen = new Map<string, number>();
    const children = sheet.steps.map((call, index) => {
      const times = seen.get(call.title) ?? 0;
      seen.set(call.title, times + 1);
      const id = times === 0 ? call.title : `${call.title} (${times + 1})`;
      const child = item.children.get(id) ?? this.#controller.createTestItem(id, call.title, uri);
      child.description = stepName(call);
      child.sortText = String(index).padStart(4, '0');
      child.range = rangeOfPlace(call);
      return child;
    });
    item.children.replace(children);
    if (known === undefined) {
      this.#controller.items.add(item);
    }
    return item;
  }

  /** Runs every call of a sheet and reports in the Test Explorer. */
  async runAll(document: vscode.TextDocument): Promise<void> {
    await this.#runItems([this.update(document)]);
  }

  /** Runs some steps of a sheet and reports them in the Test Explorer. */
  async runSteps(
    document: vscode.TextDocument,
    steps: readonly SheetStep[],
    onOutcome: (told: SheetOutcome) => void,
  ): Promise<void> {
    const all = parsedSheet(document).steps;
    const items = itemsOf(this.update(document)).filter((_, index) => steps.includes(all[index]!));
    await this.#runItems(items, onOutcome);
  }

  async #runItems(items: vscode.TestItem[], onOutcome?: (told: SheetOutcome) => void): Promise<void> {
    const source = new vscode.CancellationTokenSource();
    try {
      await this.#run(new vscode.TestRunRequest(items), source.token, onOutcome);
    } finally {
      source.dispose();
    }
  }

  async #find(): Promise<void> {
    const uris = await vscode.workspace.findFiles(sheetFiles.pattern, sheetFiles.excluded, 500);
    await Promise.all(uris.map((uri) => this.#read(uri)));
  }

  async #read(uri: vscode.Uri): Promise<void> {
    const open = openDocument(uri);
    if (open !== undefined) {
      this.update(open);
      return;
    }
    try {
      // Not opened as a document, because unseen files must not report problems.
      const text = await readWorkspaceText(uri, 'callSheet');
      this.#list(
        uri,
        parseCallSheet(text),
        ({ offset, length }) => new vscode.Range(positionIn(text, offset), positionIn(text, offset + length)),
      );
    } catch {
      this.#controller.items.delete(uri.toString());
    }
  }

  async #run(
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
    onOutcome?: (told: SheetOutcome) => void,
  ): Promise<void> {
    await this.#found;
    const run = this.#controller.createTestRun(request);
    const controller = new AbortController();
    const stops = [token, run.token].map((one) => one.onCancellationRequested(() => controller.abort()));
    try {
      const chosen = request.include ?? [...this.#controller.items].map(([, item]) => item);
      for (const sheet of new Set(chosen.map((item) => item.parent ?? item))) {
        const calls = chosen.includes(sheet) ? undefined : chosen.filter(({ parent }) => parent === sheet);
        await this.#runSheet(run, sheet, calls, request.exclude ?? [], controller.signal, onOutcome);
      }
    } finally {
      vscode.Disposable.from(...stops).dispose();
      run.end();
    }
  }

  async #runSheet(
    run: vscode.TestRun,
    sheet: vscode.TestItem,
    only: readonly vscode.TestItem[] | undefined,
    exclude: readonly vscode.TestItem[],
    signal: AbortSignal,
    onOutcome?: (told: SheetOutcome) => void,
  ): Promise<void> {
    if (sheet.uri === undefined) {
      return;
    }
    const document = await vscode.workspace.openTextDocument(sheet.uri);
    this.update(document);
    const { steps } = parsedSheet(document);
    const wanted = itemsOf(sheet).flatMap((item, index) => {
      const call = steps[index];
      const isWanted = (only?.includes(item) ?? true) && !exclude.includes(item) && !exclude.includes(sheet);
      return isWanted && call !== undefined ? [{ item, call }] : [];
    });
    wanted.forEach(({ item }) => run.enqueued(item));
    await this.#runSteps(
      run,
      new Map(wanted.map(({ call, item }) => [call, item])),
      document,
      signal,
      onOutcome,
    );
  }

  /** Runs steps as one run: later steps can use the results of earlier ones. */
  async #runSteps(
    run: vscode.TestRun,
    items: ReadonlyMap<SheetStep, vscode.TestItem>,
    document: vscode.TextDocument,
    signal: AbortSignal,
    onOutcome?: (told: SheetOutcome) => void,
  ): Promise<void> {
    const left = new Map(items);
    let current: SheetStep | undefined;
    try {
      await this.#runs.run(document, [...items.keys()], signal, {
        isTest: true,
        onStep: (step) => {
          const item = items.get(step);
          current = step;
          if (item !== undefined) {
            run.started(item);
          }
        },
        onOutcome: (told) => {
          const item = items.get(told.step);
          left.delete(told.step);
          if (item !== undefined) {
            report(run, item, told);
          }
          onOutcome?.(told);
        },
      });
    } catch (thrown) {
      const error = toWorkbenchError(thrown);
      const [step = current] = left.keys();
      const item = step === undefined ? undefined : items.get(step);
      if (!signal.aborted && step !== undefined && item !== undefined) {
        left.delete(step);
        run.errored(item, messageAt(document, step, errorSentences(error)));
      }
    }
    left.forEach((item) => run.skipped(item));
  }
}

/** The steps of a sheet in order. */
function itemsOf(sheet: vscode.TestItem): vscode.TestItem[] {
  return [...sheet.children]
    .map(([, item]) => item)
    .sort((a, b) => (a.sortText ?? '').localeCompare(b.sortText ?? ''));
}

function report(
  run: vscode.TestRun,
  item: vscode.TestItem,
  { document, step: call, outcome }: SheetOutcome,
): void {
  const { result, elapsedMs: ms } = outcome;
  const facts = result === undefined ? '' : `  ${exitFact(result)} ${result.exitMeaning}, ${gasFact(result)}`;
  const lines = [
    `${outcome.passed ? '✓' : outcome.isSkipped === true ? '-' : '✗'} ${call.title}${facts}`,
    ...outcome.failures.map((failure) => `    ${failure}`),
  ];
  run.appendOutput(lines.map((line) => `${visibleText(line)}\r\n`).join(''), undefined, item);
  if (outcome.passed) {
    run.passed(item, ms);
    return;
  }
  if (outcome.isSkipped === true) {
    run.skipped(item);
    return;
  }
  const messages = failuresOf(call, outcome).map(({ place, message, expected, actual }) => {
    const made =
      expected !== undefined && actual !== undefined
        ? vscode.TestMessage.diff(message, expected, actual)
        : new vscode.TestMessage(message);
    made.location = new vscode.Location(document.uri, rangeOf(document, place));
    return made;
  });
  if (outcome.error === undefined) {
    run.failed(item, messages, ms);
  } else {
    run.errored(item, messages, ms);
  }
}

function messageAt(document: vscode.TextDocument, call: SheetStep, text: string): vscode.TestMessage {
  const message = new vscode.TestMessage(text);
  message.location = new vscode.Location(document.uri, rangeOf(document, call));
  return message;
}

function positionIn(text: string, offset: number): vscode.Position {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return new vscode.Position(lines.length - 1, lines.at(-1)?.length ?? 0);
}

/** A step with this text. */
export function findCall(document: vscode.TextDocument, text: string): SheetStep | undefined {
  return parsedSheet(document).steps.find((call) => callText(document, call) === text);
}
