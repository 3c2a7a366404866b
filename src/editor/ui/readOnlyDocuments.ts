import * as vscode from 'vscode';
import { documentScheme } from '../../contributions';
import type { ResultLine } from '../../toolkit/getMethods/resultLine';
import type { GetMethodResult } from '../../toolkit/getMethods/getMethodResult';
import { keepNewest } from '../../toolkit/base/collections';
import { afterStart } from './afterStart';

/** A document opened by a command: its text and its lenses' actions. */
export interface ReadOnlyDocument {
  text: string;
  /** Lenses on the first line. */
  lenses: readonly vscode.Command[];
  /** Lenses further down; lines are zero-based. */
  lineLenses?: readonly { line: number; command: vscode.Command }[] | undefined;
  /** Words of the text that lead somewhere, wherever they occur. */
  links?: readonly { words: string; command: vscode.Command }[] | undefined;
  /** What a line means, shown in a hover, by line (zero-based). */
  meanings?: ReadonlyMap<number, string> | undefined;
  /** Lines that are folded at first (zero-based), including the heading, which stays visible. */
  folded?: { start: number; end: number } | undefined;
  /** A result as data: its lines, and which ones changed. */
  lines?: readonly ResultLine[] | undefined;
  /** The document's content, to compare the next answer with. */
  result?: GetMethodResult | undefined;
}

/** Documents kept; the oldest closed ones are evicted. */
const capacity = 200;

/**
 * The read-only documents that show results, under the scheme `ton`. A document's path names it: opening the same
 * path again updates it in place. The text is kept here, so that the editor can show it again when a tab reloads;
 * after a window restart an old tab says that its result is gone.
 */
export class ReadOnlyDocuments
  implements
    vscode.TextDocumentContentProvider,
    vscode.CodeLensProvider,
    vscode.FoldingRangeProvider,
    vscode.HoverProvider,
    vscode.DocumentLinkProvider
{
  readonly #documents = new Map<string, ReadOnlyDocument>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #lensesChanged = new LensChanges();
  readonly onDidChange = this.#changed.event;
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;

  /** Registers the provider and the lenses. */
  register(): vscode.Disposable {
    return vscode.Disposable.from(
      this.#changed,
      this.#lensesChanged,
      vscode.workspace.registerTextDocumentContentProvider(documentScheme, this),
      afterStart(() =>
        vscode.Disposable.from(
          vscode.languages.registerCodeLensProvider({ scheme: documentScheme }, this),
          vscode.languages.registerFoldingRangeProvider({ scheme: documentScheme }, this),
          vscode.languages.registerHoverProvider({ scheme: documentScheme }, this),
          vscode.languages.registerDocumentLinkProvider({ scheme: documentScheme }, this),
        ),
      ),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.#documents.get(uri.path)?.text ??
      'This result belonged to an earlier session. Run the command again.\n'
    );
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const known = this.#documents.get(document.uri.path);
    const first = (known?.lenses ?? []).map((command) => ({ line: 0, command }));
    return [...first, ...(known?.lineLenses ?? [])].map(
      ({ line, command }) => new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command),
    );
  }

  /**
   * Sections by their indentation, and the part that is folded at first; for other documents, the editor's
   * own folding applies.
   */
  provideFoldingRanges(document: vscode.TextDocument): vscode.FoldingRange[] | undefined {
    const folded = this.#documents.get(document.uri.path)?.folded;
    if (folded === undefined || folded.end >= document.lineCount) {
      return undefined;
    }
    // By default, only imports are folded when a document is opened.
    const details = new vscode.FoldingRange(folded.start, folded.end, vscode.FoldingRangeKind.Imports);
    return [...indentedSections(document, folded.start), details];
  }

  provideHover(document: vscode.TextDocument, { line }: vscode.Position): vscode.Hover | undefined {
    const meaning = this.#documents.get(document.uri.path)?.meanings?.get(line);
    return meaning === undefined
      ? undefined
      : new vscode.Hover(new vscode.MarkdownString().appendText(meaning));
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const links = this.#documents.get(document.uri.path)?.links ?? [];
    const text = links.length === 0 ? '' : document.getText();
    return links.flatMap(({ words, command: { command, title, arguments: given } }) => {
      const target = vscode.Uri.parse(`command:${command}?${encodeURIComponent(JSON.stringify(given))}`);
      return placesOf(words, text).map((start) => {
        const range = new vscode.Range(document.positionAt(start), document.positionAt(start + words.length));
        return Object.assign(new vscode.DocumentLink(range, target), { tooltip: title });
      });
    });
  }

  /**
   * Shows `document` under `path`, whose last part is the tab's title.
   * @param path slash-separated, without a leading slash, for example `get-method/3/seqno on alice.ton`
   */
  async show(
    path: string,
    document: ReadOnlyDocument,
    options: { language?: string; beside?: boolean; preview?: boolean; preserveFocus?: boolean } = {},
  ): Promise<vscode.TextEditor> {
    const uri = this.keep(path, document);
    let opened = await vscode.workspace.openTextDocument(uri);
    if (options.language !== undefined && opened.languageId !== options.language) {
      opened = await vscode.languages.setTextDocumentLanguage(opened, options.language);
    }
    const shown = (): Thenable<vscode.TextEditor> =>
      vscode.window.showTextDocument(opened, {
        preview: options.preview ?? false,
        preserveFocus: options.preserveFocus ?? false,
        viewColumn: options.beside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
      });
    // It fails if another editor is opened meanwhile: two clicks in a row are no fault.
    return shown().then(undefined, shown);
  }

  /** The document at `path`; undefined if it is not kept. */
  find(path: string): ReadOnlyDocument | undefined {
    return this.#documents.get(`/${path}`);
  }

  /** Whether the document at this path is open in an editor. */
  isOpen(path: string): boolean {
    return vscode.workspace.textDocuments.some(
      ({ uri, isClosed }) => !isClosed && uri.scheme === documentScheme && uri.path === `/${path}`,
    );
  }

  /** Stores a document without showing it; if already open, its text is updated in place. */
  keep(path: string, document: ReadOnlyDocument): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: documentScheme, path: `/${path}` });
    keepNewest(this.#documents, uri.path, document, capacity, isOpen);
    this.#changed.fire(uri);
    this.#lensesChanged.fire();
    return uri;
  }
}

/** Where words occur in a text as words of their own. */
function placesOf(words: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
    if (!/[\w.]/.test(text[at - 1] ?? ' ') && !/\w/.test(text[at + words.length] ?? ' ')) {
      places.push(at);
    }
  }
  return places;
}

function isOpen(path: string): boolean {
  return vscode.workspace.textDocuments.some(({ uri }) => uri.scheme === documentScheme && uri.path === path);
}

/** Each line with the more deeply indented lines below it, except the line that has its own range. */
function indentedSections(document: vscode.TextDocument, without: number): vscode.FoldingRange[] {
  const ranges: vscode.FoldingRange[] = [];
  const open: { line: number; indent: number }[] = [];
  let last = 0;
  const close = (indent: number): void => {
    for (let top = open.at(-1); top !== undefined && top.indent >= indent; top = open.at(-1)) {
      open.pop();
      if (top.line !== without && last > top.line) {
        ranges.push(new vscode.FoldingRange(top.line, last));
      }
    }
  };
  for (let line = 0; line < document.lineCount; line++) {
    const { isEmptyOrWhitespace, firstNonWhitespaceCharacterIndex: indent } = document.lineAt(line);
    if (!isEmptyOrWhitespace) {
      close(indent);
      open.push({ line, indent });
      last = line;
    }
  }
  close(0);
  return ranges;
}

/** Milliseconds; VS Code asks for lenses at least 250 ms after it was told, a busy one later. */
const againMs = [1_000, 5_000];

/**
 * Tells VS Code that lenses have changed, and later twice more: an editor that loses the focus before it has asked for
 * the new ones forgets to, and would keep the old ones until it is used again.
 */
export class LensChanges implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly event = this.#changed.event;
  #again: NodeJS.Timeout[] = [];

  fire(): void {
    this.#changed.fire();
    this.#again.forEach(clearTimeout);
    this.#again = againMs.map((ms) => setTimeout(() => this.#changed.fire(), ms));
  }

  dispose(): void {
    this.#again.forEach(clearTimeout);
    this.#changed.dispose();
  }
}
