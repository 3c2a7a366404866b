import * as vscode from 'vscode';
import type { Access } from '../../toolkit/access/createAccess';
import { WorkbenchError } from '../../toolkit/errors';
import type { PreparedSend } from '../../toolkit/send/preparedSend';
import type { SendOutcome } from '../../toolkit/send/sendOnce';
import type { TraceServices } from '../traces/traceServices';
import type { OpenTrace } from '../traces/openTraces';
import { shortenMiddle } from '../../toolkit/text';

/** Differences that a notification has room for. */
const told = 2;

/** Milliseconds after which one wants to know that the trace is waited for. */
const quietMs = 1500;

/** By what a message is found on the network; lower-case hex. */
export interface MessageHashes {
  hash: string;
  /** Without one, `hash` is the only one. */
  hashNorm?: string;
}

/** Says what became of a message, follows it, and holds what happened against the rehearsal. */
export async function tellOutcome(
  services: TraceServices,
  access: Access,
  message: MessageHashes,
  outcome: SendOutcome,
  prepared: PreparedSend | undefined,
): Promise<void> {
  const hash = message.hashNorm ?? message.hash;
  const place = `${shortenMiddle(hash)} on ${access.network.name}`;
  switch (outcome.state) {
    case 'sent': {
      const how = outcome.resolved ? 'The answer was lost, but the message is on the network' : 'Sent';
      await tellEnd(services, access, message, `${how}: ${place}`, prepared);
      return;
    }
    case 'unknown': {
      const action = await vscode.window.showWarningMessage(unknownText(outcome, place), 'Follow It');
      if (action !== undefined) {
        await vscode.commands.executeCommand('tonWorkbench.followTrace', hash);
      }
      return;
    }
    case 'refused':
    case 'not-sent':
      throw WorkbenchError.is(outcome.error) ? outcome.error : new Error(String(outcome.error));
  }
}

/** Whoever signs again too early may pay twice. */
function unknownText({ error, until }: Extract<SendOutcome, { state: 'unknown' }>, place: string): string {
  const time = until === undefined ? '' : ` until ${new Date(until * 1000).toLocaleTimeString()}`;
  return `${error.message} It may still be executed${time}: ${place}. Do not sign another message until you know.`;
}

async function tellEnd(
  services: TraceServices,
  access: Access,
  message: MessageHashes,
  sent: string,
  prepared: PreparedSend | undefined,
): Promise<void> {
  if (access.network.v3 === undefined) {
    void vscode.window.showInformationMessage(
      `${sent}. This network has no v3 API, so it cannot be followed.`,
    );
    return;
  }
  await follow(message.hashNorm ?? message.hash, sent);
  const trace = completedTrace(services, access.network.name, message);
  if (trace === undefined) {
    void vscode.window.showInformationMessage(`${sent}. Its trace is not complete yet.`);
    return;
  }
  const comparison = await compared(trace, prepared);
  const show = 'Open Trace';
  const action = await (comparison.good
    ? vscode.window.showInformationMessage(`${sent}${comparison.text}`, show)
    : vscode.window.showWarningMessage(`${sent}${comparison.text}`, show));
  if (action === show) {
    await vscode.commands.executeCommand('tonWorkbench.showTrace', { key: trace.key });
  }
}

/**
 * Waits until following has ended; says so when it takes a moment. Cancelling only ends the waiting: the message is on its
 * way, and the list of traces goes on with it.
 */
async function follow(hash: string, title: string): Promise<void> {
  const following = Promise.resolve(vscode.commands.executeCommand('tonWorkbench.followTrace', hash));
  const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), quietMs));
  if ((await Promise.race([following, late])) !== 'late') {
    return;
  }
  const location = vscode.ProgressLocation.Notification;
  await vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) => {
    progress.report({ message: 'waiting for its trace' });
    const left = new Promise<void>((resolve) => token.onCancellationRequested(() => resolve()));
    return Promise.race([following, left]);
  });
}

function completedTrace(
  services: TraceServices,
  origin: string,
  { hash, hashNorm }: MessageHashes,
): OpenTrace | undefined {
  const wanted = [hash, hashNorm ?? hash];
  const isWanted = (hash: string | null | undefined): boolean => hash != null && wanted.includes(hash);
  return services.traces.list().find(({ origin: from, status, model }) => {
    const root = model.nodes[0]?.message;
    return (
      'network' in from &&
      from.network === origin &&
      status === 'complete' &&
      [model.source.external_hash, root?.hash, root?.hash_norm].some(isWanted)
    );
  });
}

async function compared(
  trace: OpenTrace,
  prepared: PreparedSend | undefined,
): Promise<{ good: boolean; text: string }> {
  if (prepared === undefined) {
    return { good: true, text: '. Its trace is complete.' };
  }
  const { accepted, complete, trace: predicted } = prepared.rehearsal;
  if (accepted === undefined) {
    return { good: true, text: '. Its trace is complete. It could not be rehearsed.' };
  }
  if (predicted === undefined) {
    return { good: false, text: ', although the rehearsal predicted a refusal.' };
  }
  const { compareOutcome } = await import('../../toolkit/send/compareOutcome');
  const { verdict, differences } = compareOutcome({ complete, trace: predicted }, trace.model);
  if (verdict !== 'different') {
    return {
      good: true,
      text: `. It happened ${verdict === 'equal' ? 'exactly ' : ''}as rehearsed${complete ? '' : ', as far as the rehearsal went'}.`,
    };
  }
  const more = differences.length > told ? ` And ${differences.length - told} more differences.` : '';
  return {
    good: false,
    text: `. It did not happen as rehearsed: ${differences.slice(0, told).join(' ')}${more}`,
  };
}
