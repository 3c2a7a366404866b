import type * as vscode from 'vscode';
import type { CallSheet, SheetCall } from '../../toolkit/callSheet/callSheet';
import { parseCallSheet } from '../../toolkit/callSheet/parseCallSheet';

const parsed = new WeakMap<vscode.TextDocument, { version: number; sheet: CallSheet }>();

/** The sheet in a document; read once per version. */
export function parsedSheet(document: vscode.TextDocument): CallSheet {
  const known = parsed.get(document);
  if (known?.version === document.version) {
    return known.sheet;
  }
  const sheet = parseCallSheet(document.getText());
  parsed.set(document, { version: document.version, sheet });
  return sheet;
}

/** A call's text, expectations included: equal text means the same call, wherever it is. */
export function callText(document: vscode.TextDocument, call: SheetCall): string {
  const end = call.expectations.at(-1) ?? call;
  return document.getText().slice(call.offset, end.offset + end.length);
}

/** The call whose section holds `offset`. */
export function callAround(sheet: CallSheet, offset: number): SheetCall | undefined {
  return sheet.calls.findLast(({ header }) => header.offset <= offset) ?? sheet.calls[0];
}
