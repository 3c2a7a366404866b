import * as vscode from 'vscode';
import { runCommand } from '../../contributions';
import type { SourceProblem } from '../../toolkit/build/compileError';
import type { WorkbenchError } from '../../toolkit/base/errors';
import { toWorkbenchError } from '../../toolkit/base/errors';
import type { Log } from '../../toolkit/base/log';

/** An action a user can take on an error. */
export interface ErrorAction {
  title: string;
  run(): unknown;
}

/**
 * Shows an error and the next step, with buttons: the given ones and those that fix errors of this kind in general. A
 * canceled command shows nothing.
 * @param note a sentence about what continues despite the error
 * @param again what the user wanted: it goes on once a button has mended what was in the way
 */
export async function showError(
  error: unknown,
  log: Log,
  actions: readonly ErrorAction[] = [],
  note?: string,
  again?: () => unknown,
): Promise<void> {
  const known = toWorkbenchError(error);
  if (known.code === 'aborted') {
    return;
  }
  log.error(`${known.code}: ${known.message}`, known.kind === 'internal' ? error : known.cause);
  const showLog: ErrorAction = {
    title: 'Show Log',
    run: () => runCommand(vscode.commands, 'tonWorkbench.showLog'),
  };
  const offered = [
    ...actions,
    ...firstProblem(known),
    ...mendingActions(known, again),
    ...(known.kind === 'input' ? [] : [showLog]),
  ];
  const sentence = /[.!?]$/.test(known.message) ? known.message : `${known.message}.`;
  const text = [sentence, known.hint, note].filter((part) => part !== undefined).join(' ');
  const chosen = await vscode.window.showErrorMessage(text, ...offered.map((action) => action.title));
  await offered.find((action) => action.title === chosen)?.run();
}

const keyCodes: ReadonlySet<string> = new Set(['unauthorized', 'forbidden', 'wrong-network-key']);
const networkCodes: ReadonlySet<string> = new Set([
  'unreachable',
  'timeout',
  'api-missing',
  'wrong-network-key',
  'redirect-refused',
]);

/** A button for the first error that the compiler reported. */
function firstProblem({ code, details }: WorkbenchError): ErrorAction[] {
  const [first] =
    code === 'compile-failed' ? ((details['problems'] as SourceProblem[] | undefined) ?? []) : [];
  if (first === undefined) {
    return [];
  }
  const { path, line, column } = first;
  const start = new vscode.Position(line - 1, column - 1);
  const selection = new vscode.Range(start, start);
  return [
    { title: 'Go to Error', run: () => vscode.window.showTextDocument(vscode.Uri.file(path), { selection }) },
  ];
}

function mendingActions({ code, details }: WorkbenchError, again?: () => unknown): ErrorAction[] {
  const wantsKey =
    keyCodes.has(code) ||
    (code === 'rate-limited' && details.hasKey === false) ||
    details.isKeyLikely === true;
  return [
    ...(code === 'source-map-missing'
      ? [{ title: 'Why?', run: () => runCommand(vscode.commands, 'tonWorkbench.diagnoseProject') }]
      : []),
    ...(wantsKey ? [{ title: 'Set API Key…', run: () => mend('tonWorkbench.setApiKey', again) }] : []),
    ...(networkCodes.has(code)
      ? [{ title: 'Switch Network…', run: () => mend('tonWorkbench.switchNetwork', again) }]
      : []),
  ];
}

/** Runs a command that mends what was in the way, and goes on if it did. */
async function mend(
  id: 'tonWorkbench.setApiKey' | 'tonWorkbench.switchNetwork',
  again: () => unknown = () => undefined,
): Promise<void> {
  if ((await runCommand(vscode.commands, id)) === true) {
    await again();
  }
}
