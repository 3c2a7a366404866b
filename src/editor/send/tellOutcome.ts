import * as vscode from 'vscode';
import { runCommand, showView } from '../../contributions';
import type { Network } from '../../toolkit/access/network';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { SendOutcome } from '../../toolkit/send/sendOnce';
import type { SendableMessage } from '../../toolkit/send/sendableMessage';
import { clockTime, shortenMiddle } from '../../toolkit/base/text';
import type { DeliveryEvent, Happened } from '../../toolkit/workflows/runDelivery';
import { gasFigures } from '../getMethods/gasFigures';
import type { OpenTrace } from '../traces/openTraces';
import { showError } from '../ui/showError';
import type { SendServices } from './showRehearsal';

/** Maximum differences shown in a notification. */
const mostDifferences = 2;

/** Milliseconds after which the wait for the trace is shown. */
const quietMs = 1500;

/** Milliseconds for which success is shown in the status bar. */
const quietEndMs = 8000;

/** Reports a message that was rejected, or whose fate is unknown. */
export async function tellFailure(
  outcome: Exclude<SendOutcome, { state: 'sent' }>,
  message: SendableMessage,
  network: string,
): Promise<void> {
  if (outcome.state !== 'unknown') {
    throw WorkbenchError.is(outcome.error) ? outcome.error : new Error(String(outcome.error));
  }
  const hash = message.kind === 'external' ? message.hashNorm : message.hash;
  const text = unknownText(outcome, `${shortenMiddle(hash)} on ${network}`);
  const action = await vscode.window.showWarningMessage(text, 'Follow It');
  if (action !== undefined) {
    await runCommand(vscode.commands, 'tonWorkbench.followTrace', hash);
  }
}

/** Signing again too early may pay twice. */
function unknownText({ error, until }: Extract<SendOutcome, { state: 'unknown' }>, place: string): string {
  const time = until === undefined ? '' : ` until ${clockTime(until)}`;
  return `${error.message} It may still be executed${time}: ${place}. Do not sign another message until you know.`;
}

/**
 * Follows a sent message in the list of traces and reports the outcome. Canceling only stops waiting: the message is
 * on its way, and the list of traces keeps following it.
 */
export async function tellDelivery(
  services: SendServices,
  network: Network,
  sent: Extract<DeliveryEvent, { type: 'sent' }>,
  events: AsyncGenerator<DeliveryEvent, void, undefined>,
  ends: AbortController,
): Promise<void> {
  if (sent.waitsForBlock) {
    void vscode.window.showInformationMessage('Sent. It waits for the next block of the local network.');
    return;
  }
  const how = sent.resolved ? 'The answer was lost, but the message is on the network' : 'Sent';
  const title = `${how}: ${shortenMiddle(sent.hash)} on ${network.name}`;
  if (network.v3 === undefined) {
    void vscode.window.showInformationMessage(
      `${title}. This network has no v3 API, so it cannot be followed.`,
    );
    return;
  }
  const isLocal = network.kind === 'local';
  if (!isLocal) {
    await showView(vscode.commands, 'traces');
  }
  const following = await services.following();
  const end = following.during(ends, async (show): Promise<Delivered> => {
    let trace: OpenTrace | undefined;
    for await (const event of events) {
      if (event.type === 'follow') {
        trace = (await show(event.event, network.name)) ?? trace;
      } else if (event.type === 'ended') {
        return { ...event, trace };
      }
    }
    return { happened: undefined, trace };
  });
  const delivered = await waitedFor(end, title);
  if (delivered?.happened !== undefined) {
    void gasFigures(services).noteTrace(delivered.happened.model);
  }
  if (delivered?.error !== undefined) {
    const isFate = ['message-dropped', 'trace-not-found'].includes(delivered.error.code);
    void showError(delivered.error, services.log, [], isFate ? undefined : 'Following stopped.');
    return;
  }
  await tellEnd(title, delivered, isLocal);
}

/** How following a message ended, and its entry in the list of traces. */
interface Delivered {
  happened: Happened | undefined;
  error?: WorkbenchError;
  trace: OpenTrace | undefined;
}

/** The result of `work`, or undefined if the user stops waiting; shows progress if it takes a moment. */
async function waitedFor<T>(work: Promise<T>, title: string): Promise<T | undefined> {
  const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), quietMs));
  const early = await Promise.race([work, late]);
  if (early !== 'late') {
    return early;
  }
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) => {
    progress.report({ message: 'waiting for its trace' });
    const left = new Promise<undefined>((resolve) => token.onCancellationRequested(() => resolve(undefined)));
    return Promise.race([work, left]);
  });
}

/** On a local network, the trace's row already shows that everything went as expected. */
async function tellEnd(sent: string, delivered: Delivered | undefined, isLocal: boolean): Promise<void> {
  const { happened, trace } = delivered ?? {};
  if (happened?.isComplete !== true || trace === undefined) {
    void vscode.window.showInformationMessage(`${sent}. Its trace is not complete yet.`);
    return;
  }
  const { isGood, text } = endWords(happened);
  if (isGood && isLocal) {
    void vscode.window.setStatusBarMessage(`${sent}${text}`, quietEndMs);
    return;
  }
  const show = 'Open Trace';
  const action = await (isGood
    ? vscode.window.showInformationMessage(`${sent}${text}`, show)
    : vscode.window.showWarningMessage(`${sent}${text}`, show));
  if (action === show) {
    await runCommand(vscode.commands, 'tonWorkbench.showTracePage', { key: trace.key });
  }
}

function endWords({ comparison, prediction }: Happened): { isGood: boolean; text: string } {
  if (prediction === undefined) {
    return { isGood: true, text: '. Its trace is complete.' };
  }
  if (comparison === undefined) {
    return prediction.accepted === undefined
      ? { isGood: true, text: '. Its trace is complete. It could not be rehearsed.' }
      : { isGood: false, text: ', although the rehearsal predicted a refusal.' };
  }
  const { verdict, differences } = comparison;
  if (verdict === 'unknown') {
    return { isGood: true, text: '. The service does not say whether it happened as rehearsed.' };
  }
  if (verdict !== 'different') {
    const part = prediction.complete ? '' : ', as far as the rehearsal went';
    return {
      isGood: true,
      text: `. It happened ${verdict === 'equal' ? 'exactly ' : ''}as rehearsed${part}.`,
    };
  }
  const left = differences.length - mostDifferences;
  const more = left > 0 ? ` And ${left} more differences.` : '';
  return {
    isGood: false,
    text: `. It did not happen as rehearsed: ${differences.slice(0, mostDifferences).join(' ')}${more}`,
  };
}
