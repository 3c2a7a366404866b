import * as vscode from 'vscode';
import { asCommand, documentScheme } from '../../contributions';
import type { CallSheetRef } from '../../commandTargets';
import { changedLines } from '../../toolkit/callSheet/changedLines';
import type { ChangedLine } from '../../toolkit/callSheet/changedLines';
import { pathText } from '../../toolkit/callSheet/readMethodCall';
import { rawAnswerLines, resultLines, textOfLines } from '../../toolkit/getMethods/describeGetMethodResult';
import type { ResultLine } from '../../toolkit/getMethods/resultLine';
import { visibleLines, visibleText } from '../../toolkit/base/text';
import { traceText } from '../../toolkit/trace/traceText';
import { accountName } from '../project/accountName';
import type { Services } from '../project/services';
import type { ReadOnlyDocument } from '../ui/readOnlyDocuments';
import type { SheetOutcome } from './sheetRuns';
import { coinLabel } from '../ui/readWorkspaceFile';
import { stepName } from '../../toolkit/callSheet/callSheet';

/** The documents that show calls' results, with the changes of the last run marked. */
export class SheetResults implements vscode.Disposable {
  readonly #services: Services;
  readonly #changes = new Map<string, ChangedLine[]>();
  readonly #mark = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('diffEditor.insertedTextBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.modifiedForeground'),
    after: { color: new vscode.ThemeColor('descriptionForeground'), margin: '0 0 0 3em' },
  });
  readonly #subscriptions: vscode.Disposable;

  constructor(services: Services) {
    this.#services = services;
    this.#subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((one) => this.#decorate(one))),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#decorateDocument(document)),
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#mark.dispose();
  }

  /** Opens the result beside the sheet, or updates it in place if it is already open. */
  async show(told: SheetOutcome): Promise<void> {
    const path = pathOf(told);
    const uri = vscode.Uri.from({ scheme: documentScheme, path: `/${path}` });
    const document = this.#describe(told, path);
    if (isInTab(uri)) {
      this.#services.documents.keep(path, document);
    } else {
      const options = { language: 'ton-report', beside: true, preserveFocus: true };
      await this.#services.documents.show(path, document, options);
    }
    vscode.window.visibleTextEditors.forEach((editor) => this.#decorate(editor));
  }

  /** Opens the result again, in its tab if that still exists. */
  refresh(told: SheetOutcome): Promise<void> {
    const path = pathOf(told);
    if (this.#services.documents.find(path) === undefined) {
      return this.show(told);
    }
    this.#services.documents.keep(path, this.#describe(told, path));
    return Promise.resolve();
  }

  /** Two answers to the same call, side by side. */
  async compare(outcomes: readonly SheetOutcome[], names: readonly [string, string]): Promise<void> {
    const title = outcomes[0] === undefined ? '' : titleOf(outcomes[0]);
    const [left, right] = await Promise.all(
      outcomes.map(async (told, index) => {
        const path = `compare/${encodeURIComponent(pathOf(told))}/${title} on ${names[index] ?? ''}`;
        const text = textOfLines(this.#lines(told, { withoutTime: true }));
        const uri = this.#services.documents.keep(path, { text, lenses: [] });
        const opened = await vscode.workspace.openTextDocument(uri);
        await vscode.languages.setTextDocumentLanguage(opened, 'ton-report');
        return uri;
      }),
    );
    await vscode.commands.executeCommand('vscode.diff', left, right, `${title}: ${names.join(' ↔ ')}`);
  }

  #describe(told: SheetOutcome, path: string): ReadOnlyDocument {
    const { document } = told;
    const lines = this.#lines(told);
    const before = this.#services.documents.find(path)?.lines;
    this.#changes.set(`/${path}`, before === undefined ? [] : changedLines(before, lines));
    const ref: CallSheetRef = { uri: document.uri.toString(), call: told.text };
    return {
      text: textOfLines(lines),
      lines,
      folded: rawAnswerLines(lines),
      lenses: [asCommand('tonWorkbench.runSheetCall', '$(refresh) Run again', ref)],
    };
  }

  /** The results of the expectations, followed by the answer itself. */
  #lines({ step, outcome, contract }: SheetOutcome, options: { withoutTime?: boolean } = {}): ResultLine[] {
    const { result, signature, sent, deployed, error, checks } = outcome;
    const expected = checks.map(({ expectation, failure }, index) =>
      wholeLine(
        `expect ${index}`,
        `${failure === undefined ? '✓' : '✗'} ${visibleText(expectationText(expectation))}${failure === undefined ? '' : `: ${visibleText(failure)}`}`,
      ),
    );
    const first = expected.length === 0 ? [] : [...expected, { text: '' }];
    if (result !== undefined) {
      const described = resultLines(result, {
        ...options,
        accountName: accountName(this.#services),
        coinLabel: coinLabel(),
        signature,
        exits: contract,
      });
      return [...first, ...described];
    }
    if (sent !== undefined) {
      return [...first, ...linesOfText(traceText(sent.trace, { hashes: false }))];
    }
    if (error !== undefined) {
      const reasons = [error.message, ...(error.hint === undefined ? [] : [error.hint])];
      return [
        { text: `failed: ${stepName(step)}` },
        ...reasons.flatMap((reason, index) => linesOfText(`  ${visibleLines(reason)}`, `reason ${index}`)),
      ];
    }
    const facts =
      deployed === undefined ? [] : [`${deployed.name} is already deployed at ${deployed.address}.`];
    return [...first, ...facts.map((text) => wholeLine('deployed', text))];
  }

  #decorateDocument(document: vscode.TextDocument): void {
    vscode.window.visibleTextEditors
      .filter((editor) => editor.document === document)
      .forEach((editor) => this.#decorate(editor));
  }

  #decorate(editor: vscode.TextEditor): void {
    const { uri, lineCount } = editor.document;
    const changes = uri.scheme === documentScheme ? this.#changes.get(uri.path) : undefined;
    if (changes === undefined) {
      return;
    }
    const marks = changes
      .filter(({ line }) => line < lineCount)
      .map(({ line, column, before }): vscode.DecorationOptions => {
        const { range, text } = editor.document.lineAt(line);
        const was = before === undefined ? 'new' : `was ${shorten(before)}`;
        return {
          range: new vscode.Range(line, Math.min(column, text.length), line, range.end.character),
          renderOptions: { after: { contentText: was } },
        };
      });
    editor.setDecorations(this.#mark, marks);
  }
}

/** The lines of a text; each changes as a whole. */
function linesOfText(text: string, key = 'line'): ResultLine[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line, index) => wholeLine(`${key} ${index}`, line));
}

/** A line that changes as a whole. */
function wholeLine(key: string, text: string): ResultLine {
  return { text, key, fields: [{ column: 0, text }] };
}

function pathOf(told: SheetOutcome): string {
  const identity = encodeURIComponent(JSON.stringify([told.document.uri.toString(), told.step.title]));
  return `call/${identity}/${titleOf(told)}`;
}

function titleOf({ step }: SheetOutcome): string {
  return stepName(step).replace(/[/\\]/g, ' ');
}

function expectationText({
  subject,
  comparison,
  value,
}: SheetOutcome['step']['expectations'][number]): string {
  switch (subject.kind) {
    case 'fails':
      return 'expect fails';
    case 'entry':
      return `expect ${subject.path.join('.')} ${comparison} ${value.text}`;
    case 'field':
      return `expect ${pathText(subject.path)} ${comparison} ${value.text}`;
    case 'answer': {
      const { target, method, arguments: given } = subject.call;
      const dot = subject.path[0]?.kind === 'name' ? '.' : '';
      return `expect ${target.text} ${method.text}(${given.text})${dot}${pathText(subject.path)} ${comparison} ${value.text}`;
    }
    default:
      return `expect ${subject.kind} ${comparison} ${value.text}`;
  }
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text || 'empty';
}

function isInTab(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
}
