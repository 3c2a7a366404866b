import type { Access } from '../access/createAccess';
import { toWorkbenchError, WorkbenchError } from '../errors';
import { callControl } from '../localnet/callControl';
import { localControlOf } from '../localnet/controlOf';
import type { Log } from '../log';
import type { SendableMessage } from '../send/sendableMessage';
import { missingMessage } from '../send/whyDropped';
import type { MissingMessage } from '../send/whyDropped';
import type { TraceModel } from '../trace/traceModel';
import { followMessage, unseenError } from './followMessage';
import { handOver } from './handOver';

/** A trace of a local network, and the message to send instead of its own. */
export interface SendAgainParameters {
  access: Access;
  /** Hash (lowercase hex) of a transaction of the trace. */
  trace: string;
  /** Makes the message on the state to which the network went back: a wallet has its earlier seqno there. */
  prepare: (signal: AbortSignal) => Promise<SendableMessage>;
  signal: AbortSignal;
  log?: Log | undefined;
}

/** What happened instead. */
export interface SentAgain {
  model: TraceModel;
  /** The block that the network went back to. */
  seqno: number;
  /** For the control command `undoRestore`, which brings the state from before back. */
  undo: number;
}

/**
 * Takes a local network back to before a trace, sends another message, and follows it to its end. If anything fails, or
 * on abort, the state from before is brought back.
 *
 * @throws WorkbenchError `send-again-local-only` (input), `localnet-refused` (input) for an unknown trace, `aborted`,
 *   and the errors of preparing and sending: their hints say what became of the state, and if it could not be brought
 *   back, their details have the `undo`
 */
export async function sendAgain({
  access,
  trace,
  prepare,
  signal,
  log,
}: SendAgainParameters): Promise<SentAgain> {
  const { network } = access;
  const control = localControlOf(network);
  if (control === undefined) {
    throw sendAgainLocalOnlyError(network.name);
  }
  signal.throwIfAborted();
  // Without the signal: a request that is cut off may have been carried out, and its `undo` would be lost.
  const { seqno, undo } = await callControl(control, 'restore', { trace, keep: true });
  try {
    signal.throwIfAborted();
    const message = await prepare(signal);
    const sent = await handOver(access, message, signal, log);
    if (sent.type === 'failed') {
      throw sent.outcome.error;
    }
    const { mode } = await callControl(control, 'status', {}, signal);
    if (mode.kind !== 'automatic') {
      await callControl(control, 'mine', {}, signal);
    }
    return {
      model: await follow(access, missingMessage(sent.hash, message), signal),
      seqno,
      undo: undo ?? 0,
    };
  } catch (error) {
    throw await broughtBack(control, { undo: undo ?? 0, seqno }, error);
  }
}

async function follow(access: Access, message: MissingMessage, signal: AbortSignal): Promise<TraceModel> {
  for await (const event of followMessage({ access, message, signal })) {
    if (event.type === 'ended') {
      signal.throwIfAborted();
      if (event.last?.isFinal === true) {
        return event.last.model;
      }
      throw event.error ?? unseenError(message.hash);
    }
  }
  throw new Error('following ended without an end');
}

/** The error, with what became of the state as its hint. */
async function broughtBack(
  control: string,
  back: { undo: number; seqno: number },
  thrown: unknown,
): Promise<WorkbenchError> {
  const error = toWorkbenchError(thrown);
  const { code, kind, message, details } = error;
  try {
    await callControl(control, 'undoRestore', { undo: back.undo });
    return new WorkbenchError({
      ...{ code, kind, message, details, cause: error },
      hint: 'Nothing has changed: the local network is back where it was.',
    });
  } catch (failure) {
    return new WorkbenchError({
      ...{ code, kind, message, details: { ...details, undo: back }, cause: error },
      hint: `The local network is still before the trace: ${toWorkbenchError(failure).message} "TON: Undo Send Again" tries again to bring the state back.`,
    });
  }
}

/** `send-again-local-only` (input): what has happened on another network cannot be undone. */
export function sendAgainLocalOnlyError(network: string): WorkbenchError {
  return new WorkbenchError({
    code: 'send-again-local-only',
    kind: 'input',
    message: `${network} cannot go back to before a trace: what has happened there stays.`,
    hint: 'Use "TON: Replay With Changes…", which sends nothing, or switch to the local network.',
  });
}
