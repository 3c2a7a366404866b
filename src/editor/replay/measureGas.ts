import { Cell } from '@ton/core';
import * as vscode from 'vscode';
import type { ExecutionTarget, RanGetMethod } from '../../commandTargets';
import { messageKey, methodKey } from '../../toolkit/gas/gasKeys';
import { measureRun } from '../../toolkit/gas/gasReport';
import type { MeasuredRun } from '../../toolkit/gas/gasReport';
import { isSuccessCode } from '../../toolkit/isSuccessCode';
import { vmPhaseOf } from '../../toolkit/replay/vmPhaseOf';
import { knownMethodName as methodName } from '../../toolkit/getMethods/knownMethodName';
import { replayedCode } from '../../toolkit/replay/replayedCode';
import { instructionSteps } from '../../toolkit/sourceMap/instructionMap';
import { isLibraryFile } from '../../toolkit/sourceMap/sourceMap';
import type { MappedSteps } from '../../toolkit/sourceMap/mapSteps';
import { shortAddress } from '../../toolkit/address/shortAddress';
import { sourceAnswers } from '../getMethods/sourceAnswers';
import { describeDeployed } from '../project/describeDeployed';
import { withProgress } from '../ui/withProgress';
import { findReplayTarget } from './findReplayTarget';
import { methodLines, replayLines } from './replayLines';
import type { ReplayServices } from './replayServices';
import { openInWindow } from './runInWindow';
import { replayHasThrown, replaySubject, replayTitle } from './showReplay';

/** An execution that ran again step by step. */
export interface ExecutionRun {
  /** The same for the same execution. */
  id: string;
  /** To run it again. */
  target: ExecutionTarget;
  /** `Till Withdraw`, `Till limit()`, or the title of a replay. */
  name: string;
  /** What it is called in a baseline; undefined if it failed or its message has no name. */
  key: string | undefined;
  /** Whose code ran, for people. */
  contract: string;
  /** Whether it ran any code. */
  hasRun: boolean;
  /** Undefined if its lines are not known. */
  steps: MappedSteps | undefined;
  /** Its steps by instruction, for code without a source here; undefined if no code ran. */
  byInstruction: () => Promise<MappedSteps | undefined>;
}

/** An execution whose gas is known line by line. */
export interface MeasuredExecution
  extends MeasuredRun, Omit<ExecutionRun, 'steps' | 'hasRun' | 'byInstruction'> {}

/** How files are named in figures and baselines. */
export function fileInWorkspace(file: string): string {
  return isLibraryFile(file) ? file : vscode.workspace.asRelativePath(vscode.Uri.file(file));
}

/** Whether an execution is that of a get-method. */
function isCall(target: ExecutionTarget): target is RanGetMethod {
  return typeof target === 'object' && 'method' in target;
}

/**
 * Runs an execution again, with its source lines.
 *
 * @returns undefined if the user canceled
 * @throws WorkbenchError as `findReplayTarget`, `openInWindow`, `methodLines`
 */
export async function runExecution(
  services: ReplayServices,
  title: string,
  target: ExecutionTarget | undefined,
): Promise<ExecutionRun | undefined> {
  if (target !== undefined && isCall(target)) {
    return runCall(services, target);
  }
  const found = await findReplayTarget(services, title, target, { rehearsals: true });
  if (found === undefined) {
    return undefined;
  }
  const replay = await openInWindow(services, found);
  const steps = await withProgress('Finding the source lines', (signal) =>
    replayLines(services, replay, signal),
  );
  const { key: id, contract, message, report } = replay;
  const name = contract === undefined || message === undefined ? undefined : messageKey(contract, message);
  return {
    ...{ id, steps, name: name ?? replayTitle(replay) },
    byInstruction: async () => {
      const recording = await withProgress('Reading the code', (signal) =>
        services.replays.recording(replay, signal),
      );
      return recording && instructionSteps(recording, { ...replayedCode(report.replay), methodName });
    },
    target: target ?? { replay: id },
    hasRun: vmPhaseOf(report.replay.replayed) !== undefined,
    key: replayHasThrown(report) ? undefined : name,
    contract: contract ?? replaySubject(report),
  };
}

/** The gas of a run; undefined if its lines are not known. */
export function measured(run: ExecutionRun): MeasuredExecution | undefined {
  const { steps, hasRun: _, byInstruction: __, ...rest } = run;
  return steps === undefined ? undefined : { ...rest, ...measureRun(steps) };
}

async function runCall(services: ReplayServices, call: RanGetMethod): Promise<ExecutionRun> {
  const { address, method, stack, network } = call;
  const { inputs, lines, exitCode, recording } = await withProgress(
    `Running ${method} step by step`,
    (signal) => methodLines(services, call, signal),
  );
  const { codeHash } = inputs;
  const { name } = await describeDeployed(services.project, { codeHash });
  const answer = name === undefined ? undefined : sourceAnswers(services).of(name, method);
  const given = answer?.stack === stack ? (answer.typed ?? stack) : stack;
  const contract = name ?? shortAddress(address);
  const key = methodKey(contract, method, given);
  return {
    id: JSON.stringify([network, inputs.address, method, stack, codeHash]),
    target: call,
    name: key,
    key: name === undefined || !isSuccessCode(exitCode) ? undefined : key,
    contract,
    hasRun: true,
    steps: lines,
    byInstruction: () =>
      instructionSteps(recording, { code: Cell.fromBase64(inputs.code), codeHash, methodName }),
  };
}
