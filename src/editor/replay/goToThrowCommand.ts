import * as vscode from 'vscode';
import type { ReplayTarget } from '../../commandTargets';
import { runCommand } from '../../contributions';
import { exitText } from '../../toolkit/replay/replayReport';
import { computePhaseOf } from '../../toolkit/replay/replayErrors';
import type { MappedSteps } from '../../toolkit/sourceMap/mapSteps';
import { failureAt } from '../../toolkit/replay/failureAt';
import { accountNameOn } from '../project/accountName';
import { noLinesReason } from '../project/noLinesReason';
import { withProgress } from '../ui/withProgress';
import { findReplayTarget, openInWindow } from './findReplayTarget';
import { keepThrown } from './nameThrow';
import { showStepsCommand } from './replayCommands';
import type { OpenReplay, ReplayServices } from './replays';
import { replayLines, replaySubject } from './showReplay';
import type { ThrowMarks } from './throwMarks';

/**
 * TON: Go to the Line That Threw: runs a failed transaction again, opens the source at the line that threw, and marks
 * it with the values there. If the line is not certain, it says why.
 */
export async function goToThrowCommand(
  services: ReplayServices,
  marks: ThrowMarks,
  given: ReplayTarget | undefined,
): Promise<void> {
  const target = await findReplayTarget(services, 'TON: Go to the Line That Threw', given, {
    rehearsals: true,
  });
  if (target === undefined) {
    return;
  }
  const replay = await openInWindow(services, target);
  const steps = await withProgress('Finding the line that threw', (signal) =>
    replayLines(services, replay, signal),
  );
  const thrown = steps === undefined ? undefined : failureAt(steps, replay.report.replay.replayed);
  if (thrown !== undefined) {
    keepThrown(services, replay.report, thrown);
    await marks.show(
      thrown,
      titleOf(replay),
      replay.key,
      accountNameOn(services, replay.report.inputs.network),
    );
    return;
  }
  const why = steps === undefined ? ['Why?'] : [];
  const choice = await vscode.window.showInformationMessage(reasonOf(replay, steps), 'Show Steps', ...why);
  if (choice === 'Why?') {
    await runCommand(vscode.commands, 'tonWorkbench.diagnoseProject');
  } else if (choice !== undefined) {
    await showStepsCommand(services, { replay: replay.key });
  }
}

/** `Till: exit code 402 (ERR_OVER_LIMIT)`. */
function titleOf({ report }: OpenReplay): string {
  const compute = computePhaseOf(report.replay.replayed);
  const exit =
    compute?.type === 'vm' ? `exit code ${exitText(compute.exitCode, report.exits)}` : 'code not run';
  return `${replaySubject(report)}: ${exit}`;
}

function reasonOf({ report }: OpenReplay, steps: MappedSteps | undefined): string {
  const compute = computePhaseOf(report.replay.replayed);
  if (compute?.type !== 'vm') {
    return `${replaySubject(report)} did not run its code, so no line threw.`;
  }
  if (compute.success) {
    return `The code of ${replaySubject(report)} did not throw.`;
  }
  return steps === undefined
    ? noLinesReason(replaySubject(report))
    : `The line where ${replaySubject(report)} threw is not certain.`;
}
