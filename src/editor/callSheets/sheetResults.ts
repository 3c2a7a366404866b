import * as vscode from 'vscode';
import { asCommand, documentScheme } from '../../contributions';
import type { CallSheetRef } from '../../commandArguments';
import { changedLines } from '../../toolkit/callSheet/changedLines';
import type { ChangedLine } from '../../toolkit/callSheet/changedLines';
import { resultLines, textOfLines } from '../../toolkit/getMethods/describeGetMethodResult';
import type { ResultLine } from '../../toolkit/getMethods/entryRows';
import { visibleText } from '../../toolkit/text';
import { accountName } from '../accounts/knownAccounts';
import type { Services } from '../services';
import type { ReadOnlyDocument } from '../ui/readOnlyDocuments';
import { callText } from './parsedSheets';
import type { SheetOutcome } from './sheetRuns';
import { coinLabel } from '../ui/coinLabel';

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

  /** Opens the result beside the sheet; if already open, updates it in place. */
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
    const { document, outcome } = told;
    const lines = this.#lines(told);
    const before = this.#services.documents.find(path)?.lines;
    this.#changes.set(`/${path}`, before === undefined ? [] : changedLines(before, lines));
    const ref: CallSheetRef = { uri: document.uri.toString(), call: callText(document, outcome.call) };
    return {
      text: textOfLines(lines),
      lines,
      lenses: [asCommand('tonWorkbench.runSheetCall', '$(refresh) Run again', ref)],
    };
  }

  #lines({ call, outcome, contract }: SheetOutcome, options: { withoutTime?: boolean } = {}): ResultLine[] {
    const { result, error, checks } = outcome;
    if (result === undefined) {
      const reasons = [error?.message ?? '', ...(error?.hint === undefined ? [] : [error.hint])];
      return [
        { text: `failed: ${visibleText(call.method.text)} on ${visibleText(call.target.text)}` },
        ...reasons.map((reason, index) => wholeLine(`reason ${index}`, `  ${visibleText(reason)}`)),
      ];
    }
    const described = resultLines(result, {
      ...options,
      accountName: accountName(this.#services),
      coinLabel: coinLabel(),
      signature: contract?.methods.find(({ name }) => name === result.method)?.signature,
      exits: contract,
    });
    const expected = checks.map(({ expectation, failure }, index) =>
      wholeLine(
        `expect ${index}`,
        `${failure === undefined ? '✓' : '✗'} ${visibleText(expectationText(expectation))}${failure === undefined ? '' : `: ${visibleText(failure)}`}`,
      ),
    );
    return expected.length === 0 ? described : [...described, { text: '' }, ...expected];
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

/** A line that changes as a whole. */
function wholeLine(key: string, text: string): ResultLine {
  return { text, key, fields: [{ column: 0, text }] };
}

function pathOf(told: SheetOutcome): string {
  const identity = encodeURIComponent(JSON.stringify([told.document.uri.toString(), told.call.title]));
  return `call/${identity}/${titleOf(told)}`;
}

function titleOf({ call }: SheetOutcome): string {
  return `${call.method.text} on ${call.target.text}`.replace(/[/\\]/g, ' ');
}

function expectationText({
  subject,
  comparison,
  value,
}: SheetOutcome['call']['expectations'][number]): string {
  const name = subject.kind === 'entry' ? subject.path.join('.') : subject.kind;
  return `expect ${name} ${comparison} ${value.text}`;
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text || 'empty';
}

function isInTab(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
}
