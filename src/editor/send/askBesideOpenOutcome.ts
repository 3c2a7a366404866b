import * as vscode from 'vscode';
import { runCommand } from '../../contributions';
import type { Access } from '../../toolkit/access/createAccess';
import type { ExternalMessage } from '../../toolkit/send/externalMessage';
import { withProgress } from '../ui/withProgress';
import type { OpenOutcomes } from '../../toolkit/send/openOutcomes';
import { openOutcomeWords } from '../../toolkit/send/sendQuestion';

/**
 * Warns if an earlier message of the same account may still be executed: signing again too early could pay
 * twice.
 * @returns whether to continue
 */
export async function askBesideOpenOutcome(
  outcomes: OpenOutcomes,
  access: Access,
  message: ExternalMessage,
): Promise<boolean> {
  const [newest, ...more] = await withProgress('Looking for earlier messages', (signal) =>
    outcomes.openBeside(access, message, signal),
  );
  if (newest === undefined) {
    return true;
  }
  const { question, detail } = openOutcomeWords(newest, more.length);
  const [follow, goOn] = ['Follow It', 'Continue Anyway'];
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, follow, goOn);
  if (answer === follow) {
    await runCommand(vscode.commands, 'tonWorkbench.followTrace', newest.hash);
  }
  return answer === goOn;
}
