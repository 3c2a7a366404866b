import * as vscode from 'vscode';
import type { WalletConnections } from './walletConnections';
import { asCommand, runCommand, showView } from '../../contributions';
import type { Access } from '../../toolkit/access/createAccess';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { SendableMessage } from '../../toolkit/send/sendableMessage';
import type { PreparedSend, Rehearsal } from '../../toolkit/send/preparedSend';
import type { SendNames } from '../../toolkit/send/sendQuestion';
import { shortenMiddle } from '../../toolkit/base/text';
import type { TraceKnowledge, TraceModel } from '../../toolkit/trace/traceModel';
import { causeOf } from '../../toolkit/trace/verdict';
import type { EmulatorHolder } from '../../toolkit/workflows/rehearseInTime';
import { gasFigures } from '../getMethods/gasFigures';
import type { Following } from '../traces/following';
import type { TraceServices } from '../traces/liveTraces';
import { describeForList } from '../traces/openTraceCommand';
import type { OpenTrace } from '../traces/openTraces';
import { traceKnowledge } from '../traces/traceKnowledge';
import { debugLens, findLine, lineLinks, stepsLens, throwLens, traceTitle } from '../traces/traceDocuments';
import type { ReadOnlyDocument } from '../ui/readOnlyDocuments';
import { withProgress } from '../ui/withProgress';

/** Puts the predicted trace of a rehearsal into the list of traces; undefined if there is none. */
async function listRehearsal(
  services: TraceServices,
  { trace, inputsOf }: Rehearsal,
  network: string,
  sendable?: string,
): Promise<OpenTrace | undefined> {
  if (trace === undefined) {
    return undefined;
  }
  const described = await describeForList(services, trace, { network, isRehearsal: true });
  const listed: OpenTrace = { ...described, status: 'rehearsal', inputsOf, sendable };
  services.traces.add([listed]);
  return listed;
}

/** Shows the rehearsal as a document, and its predicted trace in the list of traces; it can be sent from there. */
export async function showRehearsal(
  services: TraceServices,
  prepared: PreparedSend,
  network: string,
  names: SendNames,
): Promise<void> {
  const { rehearsalText } = await import('../../toolkit/send/rehearsalText');
  const { message, rehearsal } = prepared;
  const sendable = message.kind === 'external' ? message.cell.toBoc().toString('base64') : undefined;
  const lenses: vscode.Command[] =
    sendable === undefined ? [] : [asCommand('tonWorkbench.sendBoc', '$(cloud-upload) Send…', sendable)];
  let knowledge: TraceKnowledge = traceKnowledge(services);
  const predicted = await listRehearsal(services, rehearsal, network, sendable);
  if (predicted !== undefined) {
    const { key, model, context } = predicted;
    ({ knowledge } = context);
    lenses.push(
      ...throwLens(predicted, causeOf(model)),
      ...debugLens(predicted, { key }),
      ...stepsLens(predicted, { key }),
      asCommand('tonWorkbench.showTracePage', '$(type-hierarchy) The predicted trace', { key }),
    );
    await showView(vscode.commands, 'traces');
  }
  const hash = message.kind === 'external' ? message.hashNorm : message.hash;
  const cause = predicted && causeOf(predicted.model);
  const page = (): ReadOnlyDocument => ({
    text: rehearsalText(prepared, { knowledge, ...names }),
    lenses,
    links: predicted && lineLinks(predicted, [cause]),
  });
  const title = predicted === undefined ? `rehearsal of ${shortenMiddle(hash)}` : traceTitle(predicted);
  const path = `rehearsal/${hash}/report on ${title}`;
  await services.documents.show(path, page(), { language: 'ton-report' });
  if (predicted !== undefined) {
    void findLine(services, services.traces, predicted, cause).then((isKnown) => {
      if (isKnown) {
        services.documents.keep(path, page());
      }
    });
  }
  if (network === services.networks.local().name) {
    const { oldDocuments } = await import('../project/oldDocuments');
    const accounts = (rehearsal.trace?.nodes ?? []).flatMap(({ account }) => account ?? []);
    const whole = [message.destination.toRawString(), ...accounts];
    await oldDocuments(services).watch(path, whole, lenses[0]);
  }
}

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

/** The services for sending: traces to follow a message in, and the emulator for rehearsals. */
export interface SendServices extends TraceServices {
  emulators: EmulatorHolder;
  following: () => Promise<Following>;
  wallets: WalletConnections;
}
