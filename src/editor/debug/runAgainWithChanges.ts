import * as vscode from 'vscode';
import { runCommand } from '../../contributions';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { TitledProgram } from './debugPrograms';

/**
 * TON: Run Again With Changes…: asks for changes of the message of the execution that is chosen in the call stack, or for
 * other arguments of its get-method, and runs it with them.
 *
 * @param running programs by the id of their session
 * @throws WorkbenchError `debug-request-invalid` if no execution is chosen
 */
export async function runAgainWithChanges(running: ReadonlyMap<string, TitledProgram>): Promise<void> {
  const { activeDebugSession: session, activeStackItem: item } = vscode.debug;
  const program = running.get(session?.id ?? '')?.program;
  const index = item?.session === session ? (item?.threadId ?? 0) - 1 : program?.first;
  const what = program?.threads[index ?? -1]?.again();
  if (what === undefined) {
    throw new WorkbenchError({
      code: 'debug-request-invalid',
      kind: 'input',
      message: 'No recorded execution is chosen.',
      hint: 'Stop in one (TON: Debug…), or choose it in the call stack.',
    });
  }
  if (!('replay' in what)) {
    await runCommand(vscode.commands, 'tonWorkbench.runGetMethod', what);
  } else {
    await runCommand(vscode.commands, 'tonWorkbench.replayWithChanges', what);
  }
}
