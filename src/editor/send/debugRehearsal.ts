import * as vscode from 'vscode';
import { runCommand } from '../../contributions';
import type { Access } from '../../toolkit/access/createAccess';
import { WorkbenchError } from '../../toolkit/errors';
import type { SendableMessage } from '../../toolkit/send/sendableMessage';
import type { TraceModel } from '../../toolkit/trace/traceModel';
import { gasFigures } from '../getMethods/gasFigures';
import { withProgress } from '../ui/withProgress';
import type { SendServices } from './sendServices';
import { listRehearsal } from './showRehearsal';

/**
 * Runs a message on the current states, and debugs that: nothing is sent. The predicted trace is listed.
 *
 * @returns the predicted trace, once the session has begun
 * @throws WorkbenchError `message-rejected` if the first contract does not accept it; those of the rehearsal
 */
export async function debugRehearsal(
  services: SendServices,
  access: Access,
  message: SendableMessage,
): Promise<TraceModel> {
  const { rehearseInTime } = await import('../../toolkit/workflows/rehearseInTime');
  const { emulators } = services;
  const rehearsed = await withProgress('Rehearsing the message', (signal) =>
    rehearseInTime({ access, message, emulators, signal }),
  );
  if (WorkbenchError.is(rehearsed)) {
    throw rehearsed;
  }
  const { rehearsal } = rehearsed;
  const listed = await listRehearsal(services, rehearsal, access.network.name);
  if (listed === undefined) {
    throw new WorkbenchError({
      code: 'message-rejected',
      kind: 'failed',
      message: `The message would be rejected: ${rehearsal.reason?.text ?? 'the reason is unknown'}.`,
      hint: 'A message that no contract accepts has no transaction to look into.',
    });
  }
  const { key, model } = listed;
  void gasFigures(services).noteTrace(model);
  await runCommand(vscode.commands, 'tonWorkbench.debug', { key });
  return model;
}
