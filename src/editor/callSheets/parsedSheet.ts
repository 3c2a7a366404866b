import type * as vscode from 'vscode';
import type { CallSheet, SheetStep } from '../../toolkit/callSheet/callSheet';
import { parseCallSheet } from '../../toolkit/callSheet/parseCallSheet';

const parsed = new WeakMap<vscode.TextDocument, { version: number; sheet: CallSheet }>();

/** The sheet in a document; parsed once per version. */
export function parsedSheet(document: vscode.TextDocument): CallSheet {
  const known = parsed.get(document);
  if (known?.version === document.version) {
    return known.sheet;
  }
  const sheet = parseCallSheet(document.getText());
  parsed.set(document, { version: document.version, sheet });
  return sheet;
}

/** A step's text, expectations included: equal text means the same step, wherever it is. */
export function callText(document: vscode.TextDocument, call: SheetStep): string {
  const last = call.expectations.at(-1) ?? call;
  const end = Math.max(call.offset + call.length, last.offset + last.length);
  return document.getText().slice(call.offset, end);
}

/** The step whose lines contain `offset`. */
export function callAround(sheet: CallSheet, offset: number): SheetStep | undefined {
  return (
    sheet.steps.findLast((step) => Math.min(step.header.offset, step.offset) <= offset) ?? sheet.steps[0]
  );
}
