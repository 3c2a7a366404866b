import * as vscode from 'vscode';
import { runCommand } from '../../contributions';
import type { SheetStep } from '../../toolkit/callSheet/callSheet';
import { stepName } from '../../toolkit/callSheet/callSheet';
import { toWorkbenchError, WorkbenchError } from '../../toolkit/base/errors';
import { printStack } from '../../toolkit/stack/stackValue';
import type { StepOutcome } from '../../toolkit/workflows/sheetRunTypes';
import { debugRehearsal } from '../send/showRehearsal';
import type { SendServices } from '../send/showRehearsal';
import { withProgress } from '../ui/withProgress';
import type { SheetRuns } from './sheetRuns';

/** A step of a sheet, and those that it depends on. */
interface StepInSheet {
  document: vscode.TextDocument;
  step: SheetStep;
  before: readonly SheetStep[];
}

/**
 * Debugs a step: the get-method that it calls, or the rehearsal of its message, in the state that it finds when the
 * sheet runs. The message itself is not sent.
 *
 * @throws WorkbenchError what keeps the step from running; `no-such-call` for one without an execution
 */
export async function debugStep(
  services: SendServices,
  runs: SheetRuns,
  { document, step, before }: StepInSheet,
): Promise<void> {
  let hasStarted = false;
  let problem: WorkbenchError | undefined;
  const onOutcome = async ({ step: done, result, error }: StepOutcome): Promise<void> => {
    problem ??= hasStarted ? undefined : error;
    if (done !== step || result === undefined) {
      return;
    }
    const { network, address, method, block } = result;
    const stack = printStack(result.arguments);
    hasStarted = true;
    await runCommand(vscode.commands, 'tonWorkbench.debug', {
      ...{ network, address, method, stack },
      ...(block === undefined ? {} : { block }),
    });
  };
  await withProgress(stepName(step), (signal) =>
    runs.runApart(document, [...before, step], signal, {
      deliver: async (message, given, { access }) => {
        if (given !== step) {
          return undefined;
        }
        const model = await debugRehearsal(services, access, message);
        hasStarted = true;
        return model;
      },
      onOutcome,
    }),
  );
  if (!hasStarted) {
    throw toWorkbenchError(problem ?? nothingError());
  }
}

function nothingError(): WorkbenchError {
  return new WorkbenchError({
    code: 'no-such-call',
    kind: 'input',
    message:
      'This step runs nothing that could be debugged: it only checks, or its contract is deployed already.',
    hint: 'Put the cursor on a get-method call or a send step.',
  });
}
