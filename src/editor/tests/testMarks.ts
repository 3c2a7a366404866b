import * as vscode from 'vscode';
import type { TestRecordRef } from '../../commandTargets';
import { asCommand } from '../../contributions';
import { visibleText } from '../../toolkit/base/text';
import type { CalledLine, TestCall } from '../../toolkit/testRuns/testCalls';
import { callWords, calledLines, outcomeWords, timesWords } from '../../toolkit/testRuns/testCalls';
import type { TestRecord } from '../../toolkit/testRuns/testRecording';
import type { ReplayServices } from '../replay/replays';
import { LensChanges } from '../ui/readOnlyDocuments';
import type { ExplainedRecord } from './explainRecord';
import { explainRecord } from './explainRecord';
import type { OpenRecording, TestRecordings } from './testRecordings';
import { recordRef } from './testRecordings';

/** Failed calls whose lines are looked for, per file; each runs its code again. */
const mostExplained = 30;
/** Milliseconds in which the writes of a run are taken together. */
const settleMs = 150;

/** A line of a test file that called the sandbox. */
interface Mark extends CalledLine {
  ref: TestRecordRef;
  hasFailedTest: boolean;
}

/**
 * What tests called, in their files: an inline value after each call, and above those that failed a lens that leads to the
 * contract. They come from recordings, whoever ran the tests, and move with the text until the tests run again.
 */
export class TestMarks implements vscode.Disposable, vscode.CodeLensProvider {
  readonly #marks = new Map<string, { writtenAt: number; marks: Mark[] }>();
  readonly #lensesChanged = new LensChanges();
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;
  /** `exit 402 (ERR_OVER_LIMIT) at vault.tolk:24`; without the place if no line is certain. */
  readonly #ends = new WeakMap<TestRecord, string>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #value = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 2em' },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  readonly #parts = vscode.Disposable.from(
    this.#value,
    this.#lensesChanged,
    vscode.languages.registerCodeLensProvider(
      ['javascript', 'typescript', 'javascriptreact', 'typescriptreact'].map((language) => ({
        language,
        scheme: 'file',
      })),
      this,
    ),
    vscode.window.onDidChangeVisibleTextEditors(() => this.#readVisible()),
    vscode.workspace.onDidChangeTextDocument((change) => this.#move(change)),
  );

  /**
   * @param hasFailed whether a record is what a failed test was about, as far as the runner has said
   */
  constructor(
    private readonly services: ReplayServices,
    private readonly recordings: TestRecordings,
    private readonly hasFailed: (ref: TestRecordRef) => boolean,
  ) {
    this.#readVisible();
  }

  /** Reads the recordings of the test files in sight again. */
  changed(): void {
    for (const { document } of vscode.window.visibleTextEditors) {
      const key = document.uri.toString();
      clearTimeout(this.#timers.get(key));
      this.#timers.set(
        key,
        setTimeout(() => void this.#read(document), settleMs),
      );
    }
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    return (this.#marks.get(uri.toString())?.marks ?? []).flatMap(({ line, ref, call, hasFailedTest }) => {
      if (!call.outcome.hasFailed && !hasFailedTest) {
        return [];
      }
      const range = new vscode.Range(line - 1, 0, line - 1, 0);
      const words = this.#ends.get(call.main) ?? outcomeWords(call.outcome);
      const title = hasFailedTest ? `✗ ${words}` : words;
      return [
        asCommand('tonWorkbench.debugTest', title, ref),
        asCommand('tonWorkbench.debugTest', '$(debug-alt) Debug', ref),
        ...(call.transactions > 0 ? [asCommand('tonWorkbench.openTestTrace', 'Trace', ref)] : []),
      ].map((command) => new vscode.CodeLens(range, command));
    });
  }

  dispose(): void {
    this.#timers.forEach((timer) => clearTimeout(timer));
    this.#parts.dispose();
  }

  #readVisible(): void {
    for (const { document } of vscode.window.visibleTextEditors) {
      const isScript = /\.[cm]?[jt]sx?$/.test(document.uri.path);
      if (isScript && !this.#marks.has(document.uri.toString())) {
        void this.#read(document);
      }
    }
    this.#draw();
  }

  async #read(document: vscode.TextDocument): Promise<void> {
    const key = document.uri.toString();
    const open = await this.recordings.of(document.uri);
    const known = this.#marks.get(key);
    if (open === undefined) {
      this.#marks.delete(key);
    } else if (known?.writtenAt === open.writtenAt) {
      // They may have moved; only what is known of the tests is new.
      known.marks = known.marks.map((mark) => ({ ...mark, hasFailedTest: this.hasFailed(mark.ref) }));
    } else if (!(await isOlder(open, document))) {
      this.#marks.set(key, { writtenAt: open.writtenAt, marks: this.#marksOf(open) });
      void this.#explain(open, key);
    } else {
      this.#marks.delete(key);
    }
    this.#tell();
  }

  #marksOf(open: OpenRecording): Mark[] {
    const refOf = (call: TestCall): TestRecordRef => recordRef(open, call.main);
    const isAbout = (call: TestCall): boolean =>
      call.records.some((record) => this.hasFailed(recordRef(open, record)));
    return calledLines(open.calls, isAbout).map((line) => {
      return { ...line, ref: refOf(line.call), hasFailedTest: isAbout(line.call) };
    });
  }

  /** What the codes mean and the lines that threw, one after another: the first compiles the source. */
  async #explain(open: OpenRecording, key: string): Promise<void> {
    const failed = (this.#marks.get(key)?.marks ?? []).filter(({ call }) => call.outcome.hasFailed);
    for (const { call } of failed.slice(0, mostExplained)) {
      const found = await explainRecord(this.services, open, call.main).catch(() => undefined);
      if (found !== undefined) {
        this.#ends.set(call.main, endWords(call, found));
        this.#lensesChanged.fire();
      }
    }
  }

  /** A mark whose line is edited goes; those below move with the text. */
  #move({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const known = this.#marks.get(document.uri.toString());
    if (known === undefined || contentChanges.length === 0) {
      return;
    }
    for (const { range, text } of contentChanges) {
      const added = text.split('\n').length - 1 - (range.end.line - range.start.line);
      known.marks = known.marks
        .filter(({ line }) => line - 1 < range.start.line || line - 1 > range.end.line || range.isEmpty)
        .map((mark) => (mark.line - 1 > range.start.line ? { ...mark, line: mark.line + added } : mark));
    }
    this.#tell();
  }

  #tell(): void {
    this.#lensesChanged.fire();
    this.#draw();
  }

  #draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const marks = this.#marks.get(editor.document.uri.toString())?.marks ?? [];
      editor.setDecorations(
        this.#value,
        marks.flatMap((mark) => valueOf(mark, editor.document)),
      );
    }
  }
}

/** How a call ended, with the name of its code and the line that threw. */
function endWords({ outcome }: TestCall, { exit, line }: ExplainedRecord): string {
  const named = exit.replace(/^exit code/, 'exit');
  const words = named === exit ? exit : outcomeWords(outcome).replace(/^exit -?\d+/, () => named);
  return line === undefined ? words : `${words} at ${line.place}`;
}

/** Whether the test file was changed on the disk since its tests ran, so that lines may not be the same. */
async function isOlder(
  { writtenAt }: OpenRecording,
  { uri, isDirty }: vscode.TextDocument,
): Promise<boolean> {
  const { mtime } = await vscode.workspace.fs.stat(uri);
  return isDirty || mtime > writtenAt;
}

/** The value at the end of a line, with links in its hover. */
function valueOf(
  { line, call, times, ref }: Mark,
  document: vscode.TextDocument,
): vscode.DecorationOptions[] {
  if (line > document.lineCount) {
    return [];
  }
  const { end } = document.lineAt(line - 1).range;
  const text = `${callWords(call)}${timesWords(times)}`;
  const link = (title: string, command: string): string =>
    `[${title}](command:${command}?${encodeURIComponent(JSON.stringify([ref]))})`;
  const hover = new vscode.MarkdownString().appendText(
    visibleText(`${call.test ?? 'outside of a test'}: ${text}`, 400),
  );
  hover.appendMarkdown(
    `\n\n${[
      link('Debug', 'tonWorkbench.debugTest'),
      ...(call.transactions > 0 ? [link('Open Trace', 'tonWorkbench.openTestTrace')] : []),
    ].join(' | ')}`,
  );
  hover.isTrusted = { enabledCommands: ['tonWorkbench.debugTest', 'tonWorkbench.openTestTrace'] };
  return [
    {
      range: new vscode.Range(end, end),
      hoverMessage: hover,
      renderOptions: {
        after: {
          contentText: text,
          ...(call.outcome.hasFailed ? { color: new vscode.ThemeColor('editorWarning.foreground') } : {}),
        },
      },
    },
  ];
}
