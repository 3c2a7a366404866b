import * as vscode from 'vscode';
import type { Boc } from '../../toolkit/cell/boc';
import { toWorkbenchError } from '../../toolkit/base/errors';
import { fileName } from '../../toolkit/base/text';
import type { PickOrTypeParameters, Suggestion } from '../ui/askText';
import { pickOrType } from '../ui/askText';
import { readWorkspaceFile } from '../ui/readWorkspaceFile';

/** A BoC given by the user, and its origin. */
export interface PickedBoc {
  /** Text (base64 or hex) or the bytes of a file. */
  content: string | Uint8Array;
  /** The file's name; undefined for text. */
  name: string | undefined;
}

/** The answer that means "choose a file", which cannot be the text of a BoC. */
const fromFile = 'file…';

/**
 * Asks for a BoC: text typed or pasted, or one of the most likely sources, which come first.
 * @returns undefined if the user canceled
 */
export async function pickBoc(title: string, question: string): Promise<PickedBoc | undefined> {
  const { looksLikeBoc, parseBocInput } = await import('../../toolkit/cell/parseBocInput');
  const editor = vscode.window.activeTextEditor;
  const selected = editor === undefined ? '' : editor.document.getText(editor.selection).trim();
  const copied = (await vscode.env.clipboard.readText()).trim();
  const source = (label: string, icon: string, text: string): Suggestion[] =>
    text !== '' && looksLikeBoc(text) ? [{ value: text, label, icon, description: short(text) }] : [];
  const answer = await pickOrType({
    title,
    placeholder: `${question}, or paste it as base64 or hex`,
    suggestions: [
      ...source('Selection', 'selection', selected),
      ...source('Clipboard', 'clippy', copied),
      {
        value: fromFile,
        label: 'File…',
        icon: 'folder-opened',
        description: '.boc, or base64 or hex as text',
      },
    ],
    read: (text) => readTyped(text, parseBocInput),
  });
  if (typeof answer !== 'string') {
    return undefined;
  }
  if (answer !== fromFile) {
    return { content: answer, name: undefined };
  }
  const [file] =
    (await vscode.window.showOpenDialog({
      title,
      filters: { 'Bag of cells': ['boc'], 'All files': ['*'] },
    })) ?? [];
  return file === undefined ? undefined : readBocFile(file);
}

/** Describes the typed text, or says what is wrong with it. */
function readTyped(
  text: string,
  parse: (text: string) => { cellCount: number },
): ReturnType<PickOrTypeParameters['read']> {
  try {
    const { cellCount } = parse(text);
    const cells = cellCount === 1 ? '1 cell' : `${cellCount} cells`;
    return { ok: true, label: `Bag of cells, ${cells}`, description: short(text) };
  } catch (thrown) {
    return { ok: false, reason: toWorkbenchError(thrown).message };
  }
}

/** Reads a file in binary or hex, unless it is too large for a BoC. */
export async function readBocFile(file: vscode.Uri): Promise<PickedBoc> {
  return { content: await readWorkspaceFile(file, 'bocText'), name: fileName(file.path) };
}

function short(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}

/** Reads the BoC from the text or bytes. Throws the reader's errors. */
export async function readPickedBoc({ content }: PickedBoc): Promise<Boc> {
  const { parseBocInput, readBocInput } = await import('../../toolkit/cell/parseBocInput');
  return typeof content === 'string' ? parseBocInput(content) : readBocInput(content);
}
