import { exitSources } from '../contracts/abi/contractDescription';
import type { Access } from '../access/createAccess';
import { WorkbenchError } from '../base/errors';
import type { Log } from '../base/log';
import type { OutcomeComparison } from '../send/compareOutcome';
import { compareOutcome } from '../send/compareOutcome';
import type { PreparedSend, Rehearsal } from '../send/preparedSend';
import type { SendableMessage } from '../send/sendableMessage';
import { missingMessage } from '../send/sendableMessage';
import type { Clock } from '../base/time';
import type { TraceKnowledge, TraceModel } from '../trace/traceModel';
import type { FollowEvent } from '../trace/readFollowTarget';
import type { TraceWordSources } from './describeTrace';
import type { FollowMessageParameters, HandOverOutcome } from './followMessage';
import { followMessage, handOver } from './followMessage';
import type { EmulatorHolder } from './rehearseInTime';
import { rehearseInTime } from './rehearseInTime';

/** The two phases of a delivery, which a user can cancel separately. */
export type DeliveryPhase = 'rehearse' | 'send';

/** The parameters and callbacks of a delivery. */
export interface RunDeliveryParameters {
  access: Access;
  message: SendableMessage;
  emulators: EmulatorHolder;
  /** Milliseconds after which it asks without a rehearsal; unlimited if omitted. */
  patienceMs?: number | undefined;
  /** Decides whether to send the message, given its effects, or why they are unknown. */
  confirm: (rehearsed: PreparedSend | WorkbenchError) => Promise<boolean>;
  /** Runs a phase with its own signal; by default with `signal`. */
  phase?: <T>(name: DeliveryPhase, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  /** Ends following and, without `phase`, everything. */
  signal: AbortSignal;
  log?: Log | undefined;
  clock?: Clock | undefined;
}

/** The events of a delivery, in order. */
export type DeliveryEvent =
  /** `confirm` declined; nothing was sent. The last event. */
  | { type: 'stopped' }
  /** `failed` is the last event. */
  | HandOverOutcome
  | { type: 'follow'; event: FollowEvent }
  /**
   * Following has ended. Without a complete trace, `error` says why: the message was dropped, never seen, or the network
   * cannot be followed. The last event.
   */
  | { type: 'ended'; happened: Happened | undefined; error?: WorkbenchError };

/** The trace of a delivered message as far as it was seen. */
export interface Happened {
  model: TraceModel;
  isComplete: boolean;
  /** The rehearsal; undefined without one. */
  prediction: Rehearsal | undefined;
  /** Undefined if no trace was predicted. */
  comparison: OutcomeComparison | undefined;
}

/**
 * Delivers a message: rehearses it, asks, sends it at most once, follows it to the end, and compares the outcome with
 * the rehearsal.
 *
 * @throws WorkbenchError `aborted`; `localnet-refused` and other errors of a message in a contract's name; the errors
 *   of `confirm`
 */
export async function* runDelivery(
  parameters: RunDeliveryParameters,
): AsyncGenerator<DeliveryEvent, void, undefined> {
  const { access, message, emulators, patienceMs, confirm, signal, log, clock } = parameters;
  const phase = parameters.phase ?? ((_, work) => work(signal));
  const rehearsed = await phase('rehearse', (ends) =>
    rehearseInTime({ access, message, emulators, patienceMs, signal: ends }),
  );
  if (!(await confirm(rehearsed))) {
    yield { type: 'stopped' };
    return;
  }
  let sending: Promise<HandOverOutcome> | undefined;
  const sent = await phase('send', (ends) => {
    sending = handOver(access, message, ends, log);
    return sending;
  }).catch((error: unknown) => {
    // Canceling only stops waiting: the message may have been handed over, so what is known is reported.
    if (sending === undefined) {
      throw error;
    }
    return sending;
  });
  if (sent.type === 'failed') {
    yield sent;
    return;
  }
  yield sent;
  if (access.network.v3 === undefined) {
    yield { type: 'ended', happened: undefined };
    return;
  }
  const prepared = WorkbenchError.is(rehearsed) ? undefined : rehearsed;
  yield* follow({ access, message: missingMessage(sent.hash, message), signal, clock }, prepared);
}

async function* follow(
  following: FollowMessageParameters,
  prepared: PreparedSend | undefined,
): AsyncGenerator<DeliveryEvent, void, undefined> {
  for await (const event of followMessage(following)) {
    if (event.type === 'follow') {
      yield event;
      continue;
    }
    const { last, error } = event;
    const happened = last && {
      model: last.model,
      isComplete: last.isFinal,
      prediction: prepared?.rehearsal,
      comparison: compared(prepared, last.model),
    };
    yield { type: 'ended', happened, ...(error === undefined ? {} : { error }) };
  }
}

function compared(prepared: PreparedSend | undefined, happened: TraceModel): OutcomeComparison | undefined {
  const { complete = false, trace } = prepared?.rehearsal ?? {};
  return trace === undefined ? undefined : compareOutcome({ complete, trace }, happened);
}

/**
 * The project's name and place for the exit code with which a rehearsal fails, with or without a predicted
 * trace.
 */
export async function rehearsalExits(
  { reason }: Rehearsal,
  { contracts, chosen }: Pick<TraceWordSources, 'contracts' | 'chosen'>,
): Promise<TraceKnowledge['exitSource']> {
  const { account, codeHash } = reason?.exit ?? {};
  return account === undefined || codeHash === undefined
    ? undefined
    : exitSources(new Map([[account, codeHash]]), (await contracts?.(new Set([codeHash]))) ?? [], chosen);
}
