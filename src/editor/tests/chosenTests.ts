import type * as vscode from 'vscode';
import { groupBy } from '../../toolkit/base/collections';

/**
 * The rows that a request asks for, by their files: a file itself if all of it is to run, else rows in it. None is below
 * another one, so nothing runs twice.
 *
 * @param excluded rows that do not run although they are below chosen ones
 */
export function chosenTests(
  chosen: readonly vscode.TestItem[],
  excluded: readonly vscode.TestItem[],
): Map<vscode.TestItem, vscode.TestItem[]> {
  const asked = new Set(chosen);
  const without = new Set(excluded);
  const rows = [...asked]
    .filter((item) => !isBelow(item.parent, asked))
    .flatMap((item) => rowsWithout(item, without));
  return groupBy(rows, fileOf);
}

/** The largest rows that have none of those excluded in them. */
function rowsWithout(item: vscode.TestItem, excluded: ReadonlySet<vscode.TestItem>): vscode.TestItem[] {
  if (!rowsOf(item).some((row) => excluded.has(row))) {
    return [item];
  }
  return excluded.has(item) ? [] : [...item.children].flatMap(([, child]) => rowsWithout(child, excluded));
}

/** Whether a row is one of some rows, or below one. */
export function isBelow(item: vscode.TestItem | undefined, rows: ReadonlySet<vscode.TestItem>): boolean {
  return item !== undefined && (rows.has(item) || isBelow(item.parent, rows));
}

/** A row with all rows below it. */
export function rowsOf(item: vscode.TestItem): vscode.TestItem[] {
  return [item, ...[...item.children].flatMap(([, child]) => rowsOf(child))];
}

/** The row of the file that a row is in. */
function fileOf(item: vscode.TestItem): vscode.TestItem {
  return item.parent === undefined ? item : fileOf(item.parent);
}
