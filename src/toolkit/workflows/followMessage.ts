import type { Access } from '../access/createAccess';
import { WorkbenchError, toWorkbenchError } from '../base/errors';
import { callControl } from '../localnet/callControl';
import { controlOf, localControlOf } from '../localnet/controlOf';
import type { Log } from '../base/log';
import type { InternalMessage, MissingMessage, SendableMessage } from '../send/sendableMessage';
import { droppedError, missingMessage, missingRoot, whyDropped } from '../send/sendableMessage';
import type { SendOutcome } from '../send/sendOnce';
import { sendOnce } from '../send/sendOnce';
import type { Clock } from '../base/time';
import { systemClock } from '../base/time';
import type { TraceModel } from '../trace/traceModel';
import type { FollowEvent } from '../trace/readFollowTarget';
import { followInterval, followUntilDone } from './followUntilDone';

/** The result of sending a message in a contract's name. Hashes are lower-case hex. */
interface SentAsContract {
  /** Hash of the message as sent, with the network's time in it. */
  hash: string;
  /** The trace it started; undefined until it is in a block. */
  trace: string | undefined;
}

/**
 * Makes a local network send the message in its source's name, without a signature.
 *
 * @param control base URL of the network's control API
 * @throws WorkbenchError `localnet-refused` (input), `localnet-unreachable` (network)
 */
export async function sendAsContract(
  control: string,
  message: InternalMessage,
  signal?: AbortSignal,
): Promise<SentAsContract> {
  const { source, destination, value, bounce, body, init } = message;
  const boc = (cell: InternalMessage['body']): string => cell.toBoc().toString('base64');
  const answer = await callControl(
    control,
    'sendAs',
    {
      from: source.toRawString(),
      to: destination.toRawString(),
      value: value.toString(),
      bounce,
      body: boc(body),
      ...(init?.code == null ? {} : { code: boc(init.code) }),
      ...(init?.data == null ? {} : { data: boc(init.data) }),
    },
    signal,
  );
  return { hash: answer.message, trace: answer.trace ?? undefined };
}

/** What to follow, and where. */
export interface FollowMessageParameters {
  access: Access;
  message: MissingMessage;
  signal: AbortSignal;
  /** Milliseconds after which a message that nobody has seen is given up; default two minutes. */
  patienceMs?: number | undefined;
  clock?: Clock | undefined;
}

/** The events of following a message, in order. */
export type FollowMessageEvent =
  | { type: 'follow'; event: FollowEvent }
  /** The last event. */
  | {
      type: 'ended';
      /** The trace as last seen; undefined if the message was dropped or never seen. */
      last: Extract<FollowEvent, { type: 'trace' }> | undefined;
      /** Why there is no complete trace: never undefined without one, unless the signal fired. */
      error?: WorkbenchError;
    };

/** Polling rounds between two looks whether a message that nobody sees can still come. */
const roundsPerLook = 5;

/**
 * Follows one message to the end of its trace, or until it is certain that there will be none: a pending trace that
 * disappears is no outcome, and a message whose seqno is used, or whose time is over, is not waited for.
 */
export async function* followMessage({
  access,
  message,
  signal,
  patienceMs,
  clock = systemClock,
}: FollowMessageParameters): AsyncGenerator<FollowMessageEvent, void, undefined> {
  const { hash } = message;
  const since = clock.now() / 1000;
  const why = (ends: AbortSignal): Promise<WorkbenchError | undefined> =>
    // A network that cannot tell now may tell later.
    whyDropped(access, message, { signal: ends, clock, since }).catch(() => undefined);
  const found = new AbortController();
  const ends = new AbortController();
  const following = AbortSignal.any([signal, ends.signal]);
  const looking = lookWhileUnseen(access, clock, AbortSignal.any([following, found.signal]), why);
  let dropped: WorkbenchError | undefined;
  void looking.then((error) => {
    dropped = error;
    if (error !== undefined) {
      ends.abort();
    }
  });
  try {
    for await (const told of followUntilDone({
      ...{ access, hashes: [hash], signal: following, clock },
      ...(patienceMs === undefined ? {} : { patienceMs }),
    })) {
      if (told.type === 'follow') {
        if (told.event.type === 'trace') {
          found.abort();
        }
        yield told;
        continue;
      }
      const { last, unseen, gone } = told;
      const isLost = gone.length > 0 || unseen.length > 0;
      const error =
        told.error ??
        dropped ??
        (isLost && !signal.aborted
          ? ((await why(signal)) ?? (gone.length > 0 ? droppedError(hash) : unseenError(hash)))
          : undefined);
      yield {
        type: 'ended',
        last: dropped === undefined ? last : undefined,
        ...(error === undefined ? {} : { error }),
      };
    }
  } finally {
    ends.abort();
  }
}

/** Why a pending trace that was followed has disappeared. */
export async function goneError(
  access: Access,
  model: TraceModel,
  { signal, clock = systemClock }: { signal?: AbortSignal | undefined; clock?: Clock | undefined } = {},
): Promise<WorkbenchError> {
  const message = missingRoot(model);
  const since = clock.now() / 1000;
  const known =
    message === undefined
      ? undefined
      : await whyDropped(access, message, { signal, clock, since }).catch(() => undefined);
  return known ?? droppedError(message?.hash ?? model.id ?? 'of the trace');
}

/** Resolves to the reason once the message cannot come any more; to undefined when `signal` fires. */
async function lookWhileUnseen(
  access: Access,
  clock: Clock,
  signal: AbortSignal,
  why: (signal: AbortSignal) => Promise<WorkbenchError | undefined>,
): Promise<WorkbenchError | undefined> {
  for (;;) {
    try {
      await clock.sleep(roundsPerLook * followInterval(access.network), signal);
    } catch {
      return undefined;
    }
    const error = await why(signal);
    if (error !== undefined && !signal.aborted) {
      return error;
    }
  }
}

/** `trace-not-found` (failed): nobody has seen the message in time. */
export function unseenError(hash: string): WorkbenchError {
  return new WorkbenchError({
    code: 'trace-not-found',
    kind: 'failed',
    message: `The message ${hash} was not seen; it was probably not accepted.`,
    hint: 'Check the network, and whether the message has expired.',
  });
}

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
interface SentAgain {
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

/** What became of the one attempt to hand a message over. */
export type HandOverOutcome =
  /** It was rejected, or its outcome is unknown. */
  | { type: 'failed'; outcome: Exclude<SendOutcome, { state: 'sent' }> }
  /** It is on the network, with this hash (lowercase hex). */
  | {
      type: 'sent';
      hash: string;
      /** The answer was lost, but the message was found on the network. */
      resolved: boolean;
      /** It waits for its local network to make a block. */
      waitsForBlock: boolean;
    };

/**
 * Hands a message over to its network, at most once; a message in a contract's name goes to the local
 * network.
 * @throws WorkbenchError `localnet-refused` (input), `localnet-unreachable` (network), `aborted`
 */
export async function handOver(
  access: Access,
  message: SendableMessage,
  signal: AbortSignal,
  log?: Log,
): Promise<HandOverOutcome> {
  if (message.kind === 'internal') {
    // Only a local network accepts unsigned messages.
    const { hash, trace } = await sendAsContract(controlOf(access.network) ?? '', message, signal);
    return { type: 'sent', hash, resolved: false, waitsForBlock: trace === undefined };
  }
  const outcome = await sendOnce(access, message, { signal, log });
  return outcome.state === 'sent'
    ? { type: 'sent', hash: message.hashNorm, resolved: outcome.resolved, waitsForBlock: false }
    : { type: 'failed', outcome };
}
