import path from 'node:path';
import { WorkbenchError } from '../toolkit/base/errors';
import { readUserFile } from '../toolkit/base/readUserFile';
import type { RunCallSheetOptions, SheetMessages } from '../toolkit/workflows/sheetRunTypes';
import { codesInText } from './codesInText';
import { readGivenText } from './readGivenFile';
import type { SheetProject } from './sheetProject';
import { pathHere } from './surroundings';

/** What the steps of a sheet know beyond the network: the project around it, and files beside it. */
export function sheetKnowledge(
  file: string,
  project: SheetProject,
  signal: AbortSignal,
): Omit<RunCallSheetOptions, 'network'> & { messages: SheetMessages } {
  const folder = path.dirname(pathHere(file));
  return {
    signal,
    signature: (address, method, { access }) => project.signature(access, address, method, signal),
    exits: (address, { access }) => project.describe(access, address, signal),
    isDeployed: (address, { access }) => project.isDeployed(access, address, signal),
    messages: project.messages(),
    codes: (used) => codesInText(used, folder),
    readFile: (name) => readUserFile(pathHere(name, folder), 'bocText'),
  };
}

/**
 * The text of a call sheet.
 * @throws WorkbenchError `file-unreadable` (input)
 */
export function readSheet(path: string): Promise<string> {
  return readGivenText({ path, what: 'The call sheet', code: 'file-unreadable' }, 'callSheet');
}

/** Errors in a sheet get `file:line:column` instead of an offset in the whole text. */
export function withPlace(error: unknown, file: string, text: string): unknown {
  if (!WorkbenchError.is(error, 'call-sheet-invalid') || typeof error.details.offset !== 'number') {
    return error;
  }
  const { line, column } = lineAt(text, error.details.offset);
  const { code, kind, hint } = error;
  return new WorkbenchError({
    code,
    kind,
    message: `${file}:${line}:${column}: ${error.message}`,
    hint,
    details: { line, column },
    cause: error,
  });
}

/** One-based, as in editors. */
function lineAt(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
