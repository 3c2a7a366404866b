import { Cell } from '@ton/core';
import * as vscode from 'vscode';
import type { ReplayTarget, UndoRef } from '../../commandTargets';
import { runCommand } from '../../contributions';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { RestorePreview } from '../../toolkit/localnet/control/controlApi';
import { editMessage } from '../../toolkit/replay/replayEdits';
import { pastMessage, replayImpossibleError } from '../../toolkit/replay/replayErrors';
import type { TraceNode } from '../../toolkit/trace/traceModel';
import { counted } from '../../toolkit/trace/figures';
import { nodeMessage } from '../../toolkit/trace/traceText';
import { sendAgain, sendAgainLocalOnlyError } from '../../toolkit/workflows/followMessage';
import type { MessageToResend } from '../../toolkit/workflows/messageToResend';
import { messageToResend, prepareResend } from '../../toolkit/workflows/messageToResend';
import { controlNetwork, say, sure } from '../localnet/controlNetwork';
import { accountWord } from '../project/accountName';
import { describeForList, findForList } from '../traces/openTraceCommand';
import type { OpenTrace } from '../traces/openTraces';
import { withProgress } from '../ui/withProgress';
import { askChanges } from './askChanges';
import type { Changes } from './findReplayTarget';
import { findReplayTarget, openInWindow, targetOfEditor } from './findReplayTarget';
import type { OpenReplay, ReplayServices } from './replays';

const title = 'TON: Send Again With Changes';
/** Most undone traces that the question names. */
const mostNamed = 5;

/**
 * TON: Send Again With Changes…: takes the local network back to before a trace, sends its message with another body,
 * value, or sender, and compares what happens with what happened. Undo brings everything back.
 */
export async function sendAgainCommand(
  services: ReplayServices,
  given: ReplayTarget | undefined,
): Promise<void> {
  const found = await findTrace(services, given);
  if (found === undefined) {
    return;
  }
  const { trace, toward, last } = found;
  const network = services.networks.local();
  // Before anything is asked: it may be too late.
  await previewOf(services, trace);
  const { accounts: wallets } = await services.localNetwork.ensureRunning();
  const resend = messageToResend(trace.model, wallets, toward);
  if (resend?.node.hash === undefined) {
    throw replayImpossibleError('This trace has no message that could be sent again.');
  }
  const original = await openInWindow(services, { hash: resend.node.hash, network });
  const message = pastMessage(Cell.fromBase64(original.report.inputs.target.boc));
  if (message === undefined) {
    throw replayImpossibleError('No message started this trace, so there is nothing to send again.');
  }
  const changes = await askChanges(services, original, isOf(last, resend.node) ? last : undefined, {
    title,
    placeHolder: `Choose what should be different about ${nodeMessage(resend.node, trace.context)}`,
    of: 'to Send Again',
    keys: ['body', 'value', 'sender'],
  });
  if (changes === undefined) {
    return;
  }
  const preview = await previewOf(services, trace);
  if (!(await confirmed(services, trace, resend, preview))) {
    return;
  }
  const sent = await run(services, trace, (access, signal) => {
    const isSigned = resend.isSigned || changes.edits.sender !== undefined;
    return prepareResend(access, editMessage(message, messageEdits(changes)), isSigned, wallets, signal);
  });
  const right = await describeForList(services, sent.model, { network: network.name });
  services.traces.add([right, trace]);
  const undo: UndoRef = { undo: sent.undo, seqno: sent.seqno };
  services.replays.lastUndo = undo;
  services.traces.undoable.set(right.key, undo);
  await runCommand(vscode.commands, 'tonWorkbench.compareTraces', { key: trace.key }, { key: right.key });
  await offerUndo(services, preview, undo);
}

/** TON: Undo Send Again: brings the state of the local network from before back. */
export async function undoSendAgainCommand(
  services: ReplayServices,
  given: UndoRef | undefined,
): Promise<void> {
  const ref = given ?? services.replays.lastUndo;
  if (ref === undefined) {
    void vscode.window.showInformationMessage('Nothing was sent again in this window.');
    return;
  }
  const { undo, seqno } = ref;
  // The message that offers Undo stays after another way has undone it.
  if (given !== undefined && ![...services.traces.undoable.values()].some((one) => one.undo === undo)) {
    void vscode.window.showInformationMessage('This was undone already.');
    return;
  }
  const since = await controlNetwork(services, 'Reading what happened since', 'restorePreview', { seqno });
  const others = since.traces - 1;
  const detail = `This also undoes ${counted(others, 'other trace')} that happened since.`;
  if (others > 0 && !(await sure('Bring back the state from before sending again?', detail, 'Undo'))) {
    return;
  }
  await controlNetwork(services, 'Bringing the state back', 'undoRestore', { undo });
  services.replays.lastUndo = undefined;
  for (const [key, { undo: other }] of services.traces.undoable) {
    if (other === undo) {
      services.traces.undoable.delete(key);
    }
  }
  say('The local network is back where it was before sending again');
}

interface FoundTrace {
  trace: OpenTrace;
  /** The transaction that the user means; undefined for the whole trace. */
  toward: TraceNode | undefined;
  /** An edited replay, whose changes are offered. */
  last: OpenReplay | undefined;
}

/** @throws WorkbenchError `send-again-local-only`, and as `findReplayTarget` */
async function findTrace(
  services: ReplayServices,
  given: ReplayTarget | undefined,
): Promise<FoundTrace | undefined> {
  const local = services.networks.local();
  const wanted = given ?? targetOfEditor();
  if (
    (wanted === undefined || typeof wanted === 'string') &&
    services.networks.current().name !== local.name
  ) {
    throw sendAgainLocalOnlyError(services.networks.current().name);
  }
  const isWhole = typeof wanted === 'object' && 'key' in wanted && !('index' in wanted);
  const target = await findReplayTarget(services, title, isWhole ? { key: wanted.key, index: 0 } : wanted);
  if (target === undefined) {
    return undefined;
  }
  const report = 'report' in target ? target.report : undefined;
  if (report?.isRehearsal === true || 'inputs' in target) {
    throw replayImpossibleError('This message was only rehearsed, so there is no trace to go back to.');
  }
  const network = 'report' in target ? target.report.inputs.network : target.network.name;
  if (network !== local.name) {
    throw sendAgainLocalOnlyError(network);
  }
  const hash = 'report' in target ? target.report.replay.original.hash().toString('hex') : target.hash;
  const has = ({ model, origin }: OpenTrace): boolean =>
    'network' in origin && origin.network === network && model.nodes.some((node) => node.hash === hash);
  const trace =
    services.traces.list().find((one) => one.status !== 'rehearsal' && has(one)) ??
    (await findForList(services, local, hash))[0];
  return (
    trace && {
      trace,
      toward: isWhole ? undefined : trace.model.nodes.find((node) => node.hash === hash),
      last: 'report' in target && target.report.edits.length > 0 ? target : undefined,
    }
  );
}

/** What going back would undo. */
async function previewOf(services: ReplayServices, { model }: OpenTrace): Promise<RestorePreview> {
  try {
    return await controlNetwork(services, 'Reading what happened since', 'restorePreview', {
      trace: model.nodes[0]?.hash ?? '',
    });
  } catch (error) {
    if (WorkbenchError.is(error, 'localnet-refused')) {
      throw replayImpossibleError(
        'The local network cannot go back to before this trace: it was undone, or is in the first block.',
        'Send the message anew with "TON: Compose Message…".',
        error,
      );
    }
    throw error;
  }
}

function isOf(replay: OpenReplay | undefined, { hash }: TraceNode): boolean {
  return replay?.report.replay.original.hash().toString('hex') === hash;
}

/** Everything else of an edited replay belongs to the replay alone. */
function messageEdits({ edits: { body, value, sender } }: Changes): Changes['edits'] {
  return { body, value, sender };
}

async function confirmed(
  services: ReplayServices,
  { context }: OpenTrace,
  { node, others }: MessageToResend,
  { traces, newest, edited }: RestorePreview,
): Promise<boolean> {
  const nameOf = accountWord(services, services.networks.local());
  const titles = await Promise.all(
    newest.slice(0, mostNamed).map(async (hash) => services.traces.titleOf?.(hash)),
  );
  const named = titles.filter((text) => text !== undefined);
  const more = traces - named.length;
  const detail = [
    `This undoes ${counted(traces, 'trace')}:`,
    ...named.map((text) => `· ${text}`),
    ...(more > 0
      ? [`· ${named.length === 0 ? '' : 'and '}${counted(more, named.length === 0 ? 'trace' : 'more trace')}`]
      : []),
    ...(edited.length > 0
      ? ['', `It also undoes what was set by hand: the state of ${edited.map(nameOf).join(', ')}.`]
      : []),
    ...(others > 0
      ? ['', `The wallet's ${counted(others, 'other message')} of this trace will not be sent again.`]
      : []),
    '',
    'Undo brings everything back.',
  ].join('\n');
  const message = nodeMessage(node, context);
  return sure(
    `Go back to before this trace, and send ${message} again with changes?`,
    detail,
    'Go Back and Send',
  );
}

/** Sends, with progress. If it fails or is canceled, the state from before comes back by itself. */
async function run(
  services: ReplayServices,
  trace: OpenTrace,
  prepare: (
    ...parameters: [access: Parameters<typeof sendAgain>[0]['access'], signal: AbortSignal]
  ) => ReturnType<typeof prepareResend>,
): ReturnType<typeof sendAgain> {
  return withProgress('Sending again', async (signal) => {
    const access = await services.connections.open(services.networks.local(), signal);
    try {
      return await sendAgain({
        access,
        trace: trace.model.nodes[0]?.hash ?? '',
        prepare: (stop) => prepare(access, stop),
        signal,
        log: services.log.area('send'),
      });
    } catch (error) {
      if (WorkbenchError.is(error) && error.details.undo !== undefined) {
        services.replays.lastUndo = error.details.undo as UndoRef;
      }
      if (signal.aborted && WorkbenchError.is(error)) {
        say(error.hint ?? error.message);
      }
      throw error;
    }
  });
}

async function offerUndo(services: ReplayServices, { traces }: RestorePreview, undo: UndoRef): Promise<void> {
  const text = `Sent again with changes. ${counted(traces, 'trace')} ${traces === 1 ? 'was' : 'were'} undone.`;
  if ((await vscode.window.showInformationMessage(text, 'Undo')) !== undefined) {
    await undoSendAgainCommand(services, undo);
  }
}
