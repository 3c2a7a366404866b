import * as vscode from 'vscode';
import { runCommand } from '../../contributions';
import type { ExecutionTarget, MessageRow, MessageTarget, RunTarget } from '../../commandTargets';
import { plainName } from '../../toolkit/contracts/abi/projectContract';
import { WorkbenchError } from '../../toolkit/base/errors';
import { runOnContract } from '../contracts/contractsFeature';
import { sourceAnswers } from '../getMethods/copyCallCommand';
import { knownRuns } from '../replay/knownRuns';
import type { ReplayServices } from '../replay/replays';
import { debugRehearsal } from '../send/showRehearsal';
import { sendMessageCommand } from '../send/sendMessageCommand';
import type { SendServices } from '../send/showRehearsal';

/**
 * The lens above a get-method or message: debugs its last run in this window. Without one, the get-method runs first,
 * and the message is composed and rehearsed; it is not sent.
 *
 * @throws WorkbenchError `debug-launch-invalid` for a message without a run on a network where none can be composed
 */
export async function debugDeclared(
  services: ReplayServices,
  sending: () => Promise<SendServices>,
  given: RunTarget | MessageTarget | MessageRow,
): Promise<void> {
  const target = 'target' in given ? given.target : given;
  const known =
    'method' in target
      ? (lastAnswer(services, target) ?? (await runFirst(services, sending, target)))
      : await lastRun(services, target);
  if (known !== undefined) {
    await runCommand(vscode.commands, 'tonWorkbench.debug', known);
    return;
  }
  if ('message' in target) {
    await rehearseFirst(services, await sending(), target);
  }
}

function lastAnswer(services: ReplayServices, { contract, method }: RunTarget): ExecutionTarget | undefined {
  const answer = sourceAnswers(services).of(contract, method);
  if (answer === undefined) {
    return undefined;
  }
  const { network, address, stack, block } = answer;
  return { network, address, method, stack, ...(block === undefined ? {} : { block }) };
}

async function runFirst(
  services: ReplayServices,
  sending: () => Promise<SendServices>,
  target: RunTarget,
): Promise<ExecutionTarget | undefined> {
  await runOnContract(services, sending, target);
  return lastAnswer(services, target);
}

async function lastRun(
  services: ReplayServices,
  { contract, message, file }: MessageTarget,
): Promise<ExecutionTarget | undefined> {
  const uri = file === undefined ? undefined : vscode.Uri.parse(file, true);
  const runs = uri === undefined ? [] : await knownRuns(services, uri);
  return runs.find((run) => run.message === message && plainName(run.contract) === plainName(contract))
    ?.target;
}

async function rehearseFirst(
  { networks }: ReplayServices,
  sending: SendServices,
  target: MessageTarget,
): Promise<void> {
  const { kind, name } = networks.current();
  if (kind !== 'local') {
    throw new WorkbenchError({
      code: 'debug-launch-invalid',
      kind: 'input',
      message: `No transaction with ${target.message} is open in this window, and on ${name} none can be rehearsed from here.`,
      hint: 'Open a trace that has one (TON: Open Trace…), or switch to the local network.',
    });
  }
  await sendMessageCommand(sending, target, {
    verb: 'Debug',
    action: { label: 'Debug', icon: 'debug-alt' },
    deliver: async (services, access, message) => {
      await debugRehearsal(services, access, message);
    },
  });
}
