import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import { runCommand } from '../../contributions';
import type { Access } from '../../toolkit/access/createAccess';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { FormVerdict } from '../../toolkit/send/fieldForm';
import type { ExternalMessage } from '../../toolkit/send/externalMessage';
import { isForWallet } from '../../toolkit/send/messageRequest';
import type { SendableMessage } from '../../toolkit/send/sendableMessage';
import { OpenOutcomes, openOutcomeWords } from '../../toolkit/send/sendQuestion';
import type { TraceModel } from '../../toolkit/trace/traceModel';
import { gasFigures } from '../getMethods/gasFigures';
import { coinLabel } from '../ui/readWorkspaceFile';
import { withProgress } from '../ui/withProgress';
import type { SendServices } from './showRehearsal';
import type { DeliveryCare } from './confirmSend';
import { asItIs, confirmed, exitSource, nameBy, patienceMs, predictedNames } from './confirmSend';

/** A form keeps nothing back while it looks for the line, and stays as it is then. */
const formPatienceMs = 30_000;

/**
 * The only code path that sends or hands over: warns if an earlier message may still be executed, rehearses the message, shows its
 * contents and effects, asks, sends it at most once, follows it, and compares the outcome with the rehearsal.
 */
export async function deliverMessage(
  services: SendServices,
  access: Access,
  message: SendableMessage,
  care: DeliveryCare = {},
): Promise<void> {
  if (isForWallet(message)) {
    await (await import('./askOwnWallet')).askOwnWallet(services, access, message, care);
    return;
  }
  const { objection, names, onSent } = care;
  const { context, emulators } = services;
  const outcomes = new OpenOutcomes(context.workspaceState);
  if (message.kind === 'external' && !(await askBesideOpenOutcome(outcomes, access, message))) {
    return;
  }
  const log = services.log.area('send');
  const titles = { rehearse: 'Rehearsing the message', send: `Sending to ${access.network.name}` };
  const ends = new AbortController();
  const [{ runDelivery }, { tellFailure, tellDelivery }] = await Promise.all([
    import('../../toolkit/workflows/runDelivery'),
    import('./tellOutcome'),
  ]);
  const events = runDelivery({
    ...{ access, message, emulators, patienceMs, log, signal: ends.signal },
    phase: (name, work) => withProgress(titles[name], work),
    confirm: async (rehearsed) => {
      if (WorkbenchError.is(rehearsed)) {
        log.warn(`no rehearsal: ${rehearsed.code}: ${rehearsed.message}`);
      }
      const trace = WorkbenchError.is(rehearsed) ? undefined : rehearsed.rehearsal.trace;
      if (trace !== undefined) {
        void gasFigures(services).noteTrace(trace);
      }
      const refused = WorkbenchError.is(rehearsed) ? undefined : objection?.(rehearsed);
      if (refused !== undefined) {
        throw refused;
      }
      return confirmed(services, access, message, rehearsed, {
        newNames: names,
        network: await asItIs(access),
      });
    },
  });
  for await (const event of events) {
    switch (event.type) {
      case 'failed':
        if (event.outcome.state === 'unknown' && message.kind === 'external') {
          await outcomes.remember(access.network.name, message, event.outcome.until);
        }
        await tellFailure(event.outcome, message, access.network.name);
        return;
      case 'sent':
        services.traces.sent(event.hash);
        setContextKey(vscode.commands, 'tonWorkbench.messageSent', true);
        await onSent?.(event);
        await tellDelivery(services, access.network, event, events, ends);
        return;
      default:
        return;
    }
  }
}

/** What a rehearsal says about a message, in a few words. Nothing is sent, kept, or shown. */
export async function rehearseOnly(
  services: SendServices,
  access: Access,
  message: SendableMessage,
  signal: AbortSignal,
  names?: ReadonlyMap<string, string>,
): Promise<FormVerdict & { trace: TraceModel | undefined }> {
  const [{ rehearseInTime }, { rehearsalVerdict }] = await Promise.all([
    import('../../toolkit/workflows/rehearseInTime'),
    import('../../toolkit/send/sendQuestion'),
  ]);
  const { emulators } = services;
  const rehearsed = await rehearseInTime({ access, message, emulators, patienceMs, signal });
  return {
    ...rehearsalVerdict(rehearsed, {
      name: nameBy(services, names),
      coin: coinLabel(),
      failure: (await predictedNames(services, rehearsed, formPatienceMs, names)).failure,
      exitSource: await exitSource(services, rehearsed),
    }),
    trace: WorkbenchError.is(rehearsed) ? undefined : rehearsed.rehearsal.trace,
  };
}

/**
 * Warns if an earlier message of the same account may still be executed: signing again too early could pay
 * twice.
 * @returns whether to continue
 */
async function askBesideOpenOutcome(
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
