import * as vscode from 'vscode';
import { runCommand } from '../../contributions';
import type { WorkbenchError } from '../../toolkit/errors';
import { toWorkbenchError } from '../../toolkit/errors';
import type { Log } from '../../toolkit/log';

/** One thing a user can do about an error. */
export interface ErrorAction {
  title: string;
  run(): unknown;
}

/**
 * Tells the user what happened and what to do next, with buttons that do it: the given ones and those that mend errors
 * of this kind wherever they come from. A cancelled command says nothing: the user knows.
 * @param note a sentence about what goes on in spite of the error
 */
export async function showError(
  error: unknown,
  log: Log,
  actions: readonly ErrorAction[] = [],
  note?: string,
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
  const offered = [...actions, ...mendingActions(known), ...(known.kind === 'input' ? [] : [showLog])];
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

function mendingActions({ code, details }: WorkbenchError): ErrorAction[] {
  const wantsKey = keyCodes.has(code) || (code === 'rate-limited' && details.hasKey === false);
  return [
    ...(wantsKey
      ? [{ title: 'Set API Key…', run: () => runCommand(vscode.commands, 'tonWorkbench.setApiKey') }]
      : []),
    ...(networkCodes.has(code)
      ? [{ title: 'Switch Network…', run: () => runCommand(vscode.commands, 'tonWorkbench.switchNetwork') }]
      : []),
  ];
}
