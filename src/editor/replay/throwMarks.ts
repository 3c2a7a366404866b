import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import { asCommand } from '../../contributions';
import { namedValueText } from '../../toolkit/sourceMap/namedValues';
import type { ThrownAt } from '../../toolkit/sourceMap/thrownAt';
import { LensChanges } from '../ui/readOnlyDocuments';

/** Longest text at the end of a line; the hover has all of it. */
const longest = 160;

/** A marked line of a file. */
interface Mark {
  /** Zero-based. */
  line: number;
  /** `Counter: exit code 401, NotOwner`. */
  title: string;
  /** `amount = 5`: the values with names. */
  values: readonly string[];
  /** Key of the replay that the line was found with. */
  replay: string;
}

/**
 * The lines that threw, marked in their files with the values there, until they are dismissed or the file changes. A
 * file has one mark.
 */
export class ThrowMarks implements vscode.Disposable, vscode.CodeLensProvider {
  readonly #marks = new Map<string, Mark>();
  readonly #lensesChanged = new LensChanges();
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;
  readonly #line = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('diffEditor.removedLineBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.errorForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
    after: { color: new vscode.ThemeColor('editorError.foreground'), margin: '0 0 0 2em' },
  });
  readonly #parts = vscode.Disposable.from(
    this.#line,
    this.#lensesChanged,
    vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this),
    vscode.window.onDidChangeVisibleTextEditors(() => this.#draw()),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) {
        this.dismiss(document.uri.toString());
      }
    }),
  );

  /** Opens the file at the line that threw, and marks it. */
  async show(
    { place, values }: ThrownAt,
    title: string,
    replay: string,
    nameOf: (address: string) => string | undefined,
  ): Promise<void> {
    const uri = vscode.Uri.file(place.file);
    const line = place.line - 1;
    const texts = values.map((value) => namedValueText(value, nameOf));
    this.#marks.set(uri.toString(), { line, title, values: texts, replay });
    const start = new vscode.Position(line, 0);
    await vscode.window.showTextDocument(uri, { selection: new vscode.Range(start, start) });
    this.#tell();
  }

  /** Removes the mark of a file; without one, all marks. */
  dismiss(uri?: string): void {
    const hadMark = uri === undefined ? this.#marks.size > 0 : this.#marks.has(uri);
    if (!hadMark) {
      return;
    }
    if (uri === undefined) {
      this.#marks.clear();
    } else {
      this.#marks.delete(uri);
    }
    this.#tell();
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const mark = this.#marks.get(uri.toString());
    if (mark === undefined) {
      return [];
    }
    const range = new vscode.Range(mark.line, 0, mark.line, 0);
    return [
      asCommand('tonWorkbench.replayTransaction', `$(error) ${mark.title}`, { replay: mark.replay }),
      asCommand('tonWorkbench.debug', 'Debug', { replay: mark.replay }),
      asCommand('tonWorkbench.showReplaySteps', 'Steps', { replay: mark.replay }),
      asCommand('tonWorkbench.dismissThrow', 'Dismiss', uri.toString()),
    ].map((command) => new vscode.CodeLens(range, command));
  }

  dispose(): void {
    this.#parts.dispose();
  }

  #tell(): void {
    setContextKey(vscode.commands, 'tonWorkbench.throwShown', this.#marks.size > 0);
    this.#draw();
    this.#lensesChanged.fire();
  }

  #draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const mark = this.#marks.get(editor.document.uri.toString());
      editor.setDecorations(this.#line, mark === undefined ? [] : [optionsOf(mark, editor.document)]);
    }
  }
}

function optionsOf({ line, title, values }: Mark, document: vscode.TextDocument): vscode.DecorationOptions {
  const { end } = document.lineAt(Math.min(line, document.lineCount - 1)).range;
  const text = values.length === 0 ? 'threw here' : `threw here: ${values.join(', ')}`;
  return {
    range: new vscode.Range(end, end),
    hoverMessage: new vscode.MarkdownString().appendText([title, ...values].join('\n')),
    renderOptions: {
      after: { contentText: text.length > longest ? `${text.slice(0, longest - 1)}…` : text },
    },
  };
}
