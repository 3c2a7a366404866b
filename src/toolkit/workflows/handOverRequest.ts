import type { Access } from '../access/createAccess';
import { parseBocInput } from '../cell/parseBocInput';
import { WorkbenchError, abortedError, toWorkbenchError } from '../base/errors';
import type { ExternalMessage } from '../send/externalMessage';
import { readExternalMessage } from '../send/externalMessage';
import type { RequestedArrival } from '../send/findRequested';
import { findRequested, newestLt } from '../send/findRequested';
import { missingMessage } from '../send/sendableMessage';
import { newestBlockTime } from '../send/messageFate';
import type { MessageRequest } from '../send/messageRequest';
import { checkRequest, isRequestedMessage, requestKey } from '../send/messageRequest';
import { orderedMessages } from '../send/orderText';
import type { Clock } from '../base/time';
import { systemClock } from '../base/time';
import { formatTime } from '../trace/figures';
import type { FollowEvent } from '../trace/readFollowTarget';
import { followMessage } from './followMessage';
import { followInterval, followUntilDone } from './followUntilDone';
import type { HandedOverEntry, HandOverEntries } from './handOverJournal';

/** How a request reaches whoever signs it. */
export interface HandOverWay {
  name: 'link' | 'qr' | 'connect' | 'boc';
  /**
   * Normalized hash of the message, if it is signed already: handing it over again sends it once all the same.
   */
  signed?: string;
  /**
   * Hands it over: once only for a way whose wallet answers. Resolves to the external message that the wallet has sent
   * (a BoC), or to undefined if this way gives no answer.
   * @throws WorkbenchError `wallet-declined` if the wallet says that it does not sign it, `message-refused` if the network
   * says that it does not take it
   */
  hand(request: MessageRequest, signal: AbortSignal): Promise<string | undefined>;
}

/** What handing over takes. */
export interface HandOverParameters {
  access: Access;
  request: MessageRequest;
  way: HandOverWay;
  journal: HandOverEntries;
  /** What it is, for people: `Counter, 1 TON`. */
  what: string;
  /** Ends waiting; what was handed over stays open, and the next run finds it. */
  signal: AbortSignal;
  clock?: Clock | undefined;
}

/** The events of handing over, in order. */
export type HandOverEvent =
  /** The same message was handed over before, and may still come: it is waited for, and not handed over again. */
  | { type: 'open'; entry: HandedOverEntry }
  /** The same message was handed over before, and never came. */
  | { type: 'lapsed'; entry: HandedOverEntry }
  | { type: 'handed' }
  /** The wallet has answered with the message that it has sent. */
  | { type: 'answered'; message: ExternalMessage }
  /** The wallet gave no usable answer, which says nothing about the message: the chain is asked. */
  | { type: 'silent'; error: WorkbenchError }
  /** It is on the chain. `others`: transactions caused by equal messages, between which nobody can tell. */
  | { type: 'found'; arrival: RequestedArrival; others: readonly RequestedArrival[] }
  | { type: 'follow'; event: FollowEvent }
  /** The last event: the trace as far as it was seen. */
  | {
      type: 'ended';
      last: Extract<FollowEvent, { type: 'trace' }> | undefined;
      error?: WorkbenchError;
    };

/** Seconds after a request's end until it counts as over, by a network that makes blocks, and by one that makes none. */
const margin = { withBlocks: 30, withoutBlocks: 300 };

/**
 * Hands a message to the user's wallet, at most once, and follows it to the end of its trace. Before anything leaves, it
 * is in the journal; a message that is there already is looked for on the chain, and waited for while it may still come.
 *
 * @throws WorkbenchError `request-expired`, `request-not-carriable` (input), `wallet-declined`, `wallet-sent-other`
 *   (failed), `aborted`, and the network's errors before anything was handed over
 */
export async function* handOverRequest(
  parameters: HandOverParameters,
): AsyncGenerator<HandOverEvent, void, undefined> {
  const { access, request, way, journal, what, signal, clock = systemClock } = parameters;
  const run = new HandOverRun(parameters, clock);
  const key = requestKey(request);
  let entry = journal.find(key);
  if (entry !== undefined) {
    const isOver = await run.isOver(entry, signal);
    const arrivals = await run.look(entry, signal);
    if (arrivals.length === 0 && isOver) {
      journal.settle(key);
      yield { type: 'lapsed', entry };
      entry = undefined;
    } else {
      if (arrivals.length === 0) {
        yield { type: 'open', entry };
      }
      const again = arrivals.length === 0 && way.signed !== undefined ? way : undefined;
      yield* run.wait(entry, again, signal);
      return;
    }
  }
  checkRequest(request, Math.floor(clock.now() / 1000));
  const call = { signal, priority: 'user' } as const;
  const after = await newestLt(access, request.destination.toRawString(), call);
  const fresh: HandedOverEntry = {
    ...{ key, what, way: way.name, network: access.network.name },
    ...{ at: clock.now(), validUntil: request.validUntil, after: after.toString() },
  };
  if (!journal.add(fresh)) {
    const other = journal.find(key) ?? fresh;
    yield { type: 'open', entry: other };
    yield* run.wait(other, undefined, signal);
    return;
  }
  yield { type: 'handed' };
  yield* run.wait(fresh, way, signal);
}

/**
 * Whether a message that was handed over cannot come any more: asked before the last look for it, so that nothing comes
 * between.
 */
export async function isHandOverOver(
  access: Access,
  { validUntil }: HandedOverEntry,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  const late = clock.now() / 1000 - validUntil;
  if (late <= margin.withBlocks) {
    return false;
  }
  const now = await newestBlockTime(access, { signal, priority: 'user' });
  return now > validUntil || late > margin.withoutBlocks;
}

/** What the wallet has answered, or why it did not. */
type Answer = { boc: string | undefined } | { error: WorkbenchError };

class HandOverRun {
  constructor(
    private readonly parameters: HandOverParameters,
    private readonly clock: Clock,
  ) {}

  /** The arrivals of the message since it was handed over. */
  look({ after }: HandedOverEntry, signal: AbortSignal): Promise<RequestedArrival[]> {
    const { access, request } = this.parameters;
    return findRequested(access, request, { after: BigInt(after), signal, priority: 'user' });
  }

  isOver(entry: HandedOverEntry, signal: AbortSignal): Promise<boolean> {
    return isHandOverOver(this.parameters.access, entry, this.clock, signal);
  }

  /** Waits for the wallet's answer or for the message itself, whichever comes first. */
  async *wait(
    entry: HandedOverEntry,
    way: HandOverWay | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<HandOverEvent, void, undefined> {
    const { access, request, journal } = this.parameters;
    const ends = new AbortController();
    const both = AbortSignal.any([signal, ends.signal]);
    let answering = way?.hand(request, both).then(
      (boc): Answer => ({ boc }),
      (error: unknown): Answer => ({ error: toWorkbenchError(error) }),
    );
    try {
      for (;;) {
        const isOver = await this.isOver(entry, signal).catch(rethrowAborted(signal));
        const arrivals = (await this.look(entry, signal).catch(rethrowAborted(signal))) ?? undefined;
        if (arrivals?.[0] !== undefined) {
          yield* this.#found(arrivals[0], arrivals.slice(1), entry, signal);
          return;
        }
        if (isOver === true && arrivals !== undefined) {
          journal.settle(entry.key);
          throw neverCameError(entry, access.network.name);
        }
        const answer = await this.#pause(answering, both);
        if (answer === undefined) {
          continue;
        }
        answering = undefined;
        if ('error' in answer) {
          if (isDeclined(answer.error)) {
            // It was not sent, and cannot be any more; the chain has just been asked, too.
            journal.settle(entry.key);
            throw answer.error;
          }
          yield { type: 'silent', error: answer.error };
        } else if (answer.boc !== undefined) {
          yield* this.#answered(answer.boc, entry, signal);
          return;
        }
      }
    } catch (error) {
      throw signal.aborted ? stillOpenError(entry) : error;
    } finally {
      ends.abort();
    }
  }

  /** The next answer, or undefined after a pause. */
  async #pause(answering: Promise<Answer> | undefined, signal: AbortSignal): Promise<Answer | undefined> {
    const pause = this.clock
      .sleep(followInterval(this.parameters.access.network), signal)
      .then(() => undefined);
    if (answering === undefined) {
      return pause;
    }
    pause.catch(() => undefined);
    const answer = await Promise.race([answering, pause]);
    signal.throwIfAborted();
    return answer;
  }

  async *#found(
    arrival: RequestedArrival,
    others: readonly RequestedArrival[],
    { key }: HandedOverEntry,
    signal: AbortSignal,
  ): AsyncGenerator<HandOverEvent, void, undefined> {
    const { access } = this.parameters;
    yield { type: 'found', arrival, others };
    if (access.network.v3 === undefined) {
      yield* this.#end(key, undefined);
      return;
    }
    const hashes = [arrival.transaction];
    for await (const told of followUntilDone({ access, hashes, signal, clock: this.clock })) {
      if (told.type === 'follow') {
        yield told;
      } else {
        signal.throwIfAborted();
        const { last, error } = told;
        yield* this.#end(key, last, error);
      }
    }
  }

  /** It is over once its end was told, also to a caller that throws because of it. */
  *#end(
    key: string,
    last: Extract<HandOverEvent, { type: 'ended' }>['last'],
    error?: WorkbenchError,
  ): Generator<HandOverEvent, void, undefined> {
    try {
      yield { type: 'ended', last, ...(error === undefined ? {} : { error }) };
    } finally {
      this.parameters.journal.settle(key);
    }
  }

  async *#answered(
    boc: string,
    { key }: HandedOverEntry,
    signal: AbortSignal,
  ): AsyncGenerator<HandOverEvent, void, undefined> {
    const { access } = this.parameters;
    const message = readExternalMessage(parseBocInput(boc));
    requireAsked(this.parameters.request, message);
    yield { type: 'answered', message };
    if (access.network.v3 === undefined) {
      yield* this.#end(key, undefined);
      return;
    }
    const missing = missingMessage(message.hashNorm, message);
    for await (const event of followMessage({ access, message: missing, signal, clock: this.clock })) {
      if (event.type === 'follow') {
        yield event;
      } else {
        signal.throwIfAborted();
        const { last, error } = event;
        yield* this.#end(key, last, error);
      }
    }
  }
}

/** Whether an error says that what was handed over was not sent, and cannot be any more. */
export function isDeclined(error: unknown): boolean {
  return WorkbenchError.is(error, 'wallet-declined') || WorkbenchError.is(error, 'message-refused');
}

/** A network that cannot tell now may tell later. */
function rethrowAborted(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (signal.aborted) {
      throw error;
    }
  };
}

/**
 * Whether a wallet's message is what it was asked for; a wallet of an unknown kind cannot be read, and the chain will tell.
 * @throws WorkbenchError `wallet-sent-other` (failed)
 */
function requireAsked(request: MessageRequest, message: ExternalMessage): void {
  const orders = orderedMessages(message);
  if (orders === undefined || orders.some((order) => isRequestedMessage(request, order))) {
    return;
  }
  throw new WorkbenchError({
    code: 'wallet-sent-other',
    kind: 'failed',
    message:
      'The wallet answered with another message than it was asked for: its destination, amount, body, or state init differs.',
    hint: `Look at what it does: ton-workbench trace ${message.hashNorm}. What you asked for was not sent.`,
    details: { hash: message.hashNorm },
  });
}

function neverCameError({ validUntil, way }: HandedOverEntry, network: string): WorkbenchError {
  const isSilent = way === 'link' || way === 'qr';
  return new WorkbenchError({
    code: 'request-expired',
    kind: 'failed',
    message: `The request was valid until ${formatTime(validUntil)}, and ${network} has no such message.`,
    hint: isSilent
      ? 'Nothing was sent. A few wallets ignore the time in a link: close it there before you hand it over again.'
      : 'Nothing was sent. Hand it over again.',
  });
}

/** Stopping only ends the waiting. */
function stillOpenError({ validUntil }: HandedOverEntry): WorkbenchError {
  const { code, kind } = abortedError();
  return new WorkbenchError({
    ...{ code, kind },
    message: `Stopped waiting. The message was handed over, and the wallet may send it until ${formatTime(validUntil)}.`,
    hint: 'Do the same again to find out: it looks for the message first, and hands nothing over twice.',
  });
}
