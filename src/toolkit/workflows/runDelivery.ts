import type { Access } from '../access/createAccess';
import { sendAsContract } from '../compose/sendAsContract';
import { WorkbenchError } from '../errors';
import { controlOf } from '../localnet/controlOf';
import type { Log } from '../log';
import { compareOutcome } from '../send/compareOutcome';
import type { OutcomeComparison } from '../send/compareOutcome';
import type { PreparedSend } from '../send/preparedSend';
import type { Rehearsal } from '../send/rehearsal';
import { sendOnce } from '../send/sendOnce';
import type { SendOutcome } from '../send/sendOnce';
import type { SendableMessage } from '../send/sendableMessage';
import type { FollowEvent } from '../trace/followEvents';
import type { TraceModel } from '../trace/traceModel';
import { followUntilDone } from './followUntilDone';
import { rehearseInTime } from './rehearseInTime';
import type { EmulatorHolder } from './rehearseInTime';

/** The two parts of a delivery that a user waits for and may cancel one by one. */
export type DeliveryPhase = 'rehearse' | 'send';

/** What a delivery needs, and where it asks. */
export interface RunDeliveryParameters {
  access: Access;
  message: SendableMessage;
  emulators: EmulatorHolder;
  /** Milliseconds after which it is asked without a rehearsal; without it, as long as the rehearsal takes. */
  patienceMs?: number | undefined;
  /** Decides whether the message leaves: with what it will do, or with why that is not known. */
  confirm: (rehearsed: PreparedSend | WorkbenchError) => Promise<boolean>;
  /** Runs a phase with a signal of its own; by default with `signal`. */
  phase?: <T>(name: DeliveryPhase, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  /** Ends following, and without `phase` everything. */
  signal: AbortSignal;
  log?: Log | undefined;
}

/** What happens to a message that is delivered, in order. */
export type DeliveryEvent =
  /** `confirm` said no; nothing was sent. The last event. */
  | { type: 'stopped' }
  /** Nobody took it, or nobody knows whether somebody did. The last event. */
  | { type: 'failed'; outcome: Exclude<SendOutcome, { state: 'sent' }> }
  /** It is on the network, by a hash (lower-case hex). */
  | {
      type: 'sent';
      hash: string;
      /** The answer was lost; the network itself has shown the message. */
      resolved: boolean;
      /** It waits until its local network makes a block. */
      waitsForBlock: boolean;
    }
  | { type: 'follow'; event: FollowEvent }
  /** Following has ended, with `error` because of a fault that asking again would not mend. The last event. */
  | { type: 'ended'; happened: Happened | undefined; error?: WorkbenchError };

/** The trace of a delivered message as far as it was seen. */
export interface Happened {
  model: TraceModel;
  isComplete: boolean;
  /** What the rehearsal said; undefined without one. */
  prediction: Rehearsal | undefined;
  /** Undefined where no trace was predicted. */
  comparison: OutcomeComparison | undefined;
}

/**
 * Delivers a message: rehearses it, asks, sends it at most once, follows it to its end, and holds what happened against the
 * rehearsal.
 *
 * @throws WorkbenchError `aborted`; `localnet-refused` and the like of a message in the name of a contract; what `confirm` throws
 */
export async function* runDelivery(
  parameters: RunDeliveryParameters,
): AsyncGenerator<DeliveryEvent, void, undefined> {
  const { access, message, emulators, patienceMs, confirm, signal, log } = parameters;
  const phase = parameters.phase ?? ((_, work) => work(signal));
  const rehearsed = await phase('rehearse', (ends) =>
    rehearseInTime({ access, message, emulators, patienceMs, signal: ends }),
  );
  if (!(await confirm(rehearsed))) {
    yield { type: 'stopped' };
    return;
  }
  let sending: Promise<HandedOver> | undefined;
  const sent = await phase('send', (ends) => {
    sending = handOver(access, message, ends, log);
    return sending;
  }).catch((error: unknown) => {
    // Canceling only ends the waiting: the message may have been handed over, and what is known of that is said.
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
  yield* follow(access, sent.hash, signal, prepared);
}

type HandedOver = Extract<DeliveryEvent, { type: 'sent' | 'failed' }>;

async function handOver(
  access: Access,
  message: SendableMessage,
  signal: AbortSignal,
  log: Log | undefined,
): Promise<HandedOver> {
  if (message.kind === 'internal') {
    // Only a local network sends what nobody has signed.
    const { hash, trace } = await sendAsContract(controlOf(access.network) ?? '', message, signal);
    return { type: 'sent', hash, resolved: false, waitsForBlock: trace === undefined };
  }
  const outcome = await sendOnce(access, message, { signal, log });
  return outcome.state === 'sent'
    ? { type: 'sent', hash: message.hashNorm, resolved: outcome.resolved, waitsForBlock: false }
    : { type: 'failed', outcome };
}

async function* follow(
  access: Access,
  hash: string,
  signal: AbortSignal,
  prepared: PreparedSend | undefined,
): AsyncGenerator<DeliveryEvent, void, undefined> {
  for await (const event of followUntilDone({ access, hashes: [hash], signal })) {
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
