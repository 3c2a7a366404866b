import type { Access, CallOptions } from '../access/createAccess';
import { wrongShapeError } from '../access/errors';
import { hashValue } from '../api/wire';
import { v3Endpoints } from '../access/v3/v3Endpoints';
import { WorkbenchError, abortedError, toWorkbenchError } from '../base/errors';
import { silentLog } from '../base/log';
import type { Log } from '../base/log';
import { systemClock } from '../base/time';
import type { Clock } from '../base/time';
import type { ExternalMessage } from './externalMessage';
import { messageFate } from './messageFate';
import type { MessageFate } from './messageFate';
import { neverExpires } from '../contracts/opcodes/readSignedBody';

/** The outcome of the one attempt to send a message. */
export type SendOutcome =
  /** The service accepted it. `resolved`: its answer did not say so, but the message was found on the network. */
  | { state: 'sent'; resolved: boolean }
  /** The contract did not accept it, according to a node that ran it, and the network does not have it. */
  | { state: 'refused'; error: WorkbenchError }
  /** It was never handed over, or it has expired and the network does not have it. */
  | { state: 'not-sent'; error: WorkbenchError }
  /** It was handed over but not found. It may still be executed until `until` (Unix seconds). */
  | { state: 'unknown'; error: WorkbenchError; until: number | undefined };

/** How one message is sent. */
export interface SendOptions {
  signal?: AbortSignal | undefined;
  clock?: Clock | undefined;
  log?: Log | undefined;
  /** How long to look for a lost message, in milliseconds; default 30 s. */
  lookupMs?: number | undefined;
  /** Pause between lookups, in milliseconds; default 1 s. */
  lookupPauseMs?: number | undefined;
}

const defaultLookupMs = 30_000;
const defaultPauseMs = 1000;

/**
 * How long to look for a message that a node rejected. The node decides by its newest state: if the message had been
 * executed before (a gateway may ask a second node), that state would show it.
 */
const refusedLookupMs = 2000;

/** Tolerance for clock differences when dating the hand-over, in seconds. */
const clockMargin = 300;

/**
 * Errors proving that a message was not handed over: there was no connection, or nothing was sent. An answer proves
 * nothing: gateways may pass a message on and then answer 404, 408, 429, or a redirect.
 */
function neverLeft({ code, details }: WorkbenchError): boolean {
  return (
    ['unreachable', 'api-missing', 'parameter-invalid'].includes(code) ||
    // Held back here, because the service had asked for a pause.
    (code === 'rate-limited' && details.status === undefined)
  );
}

/**
 * Sends the message over v2 (sendBoc), or over v3 if there is no v2 or no connection to it. Handed over at most once:
 * unless the service confirms it, the network is asked for the normalized hash, and the chain's state decides.
 * Network failures never throw; the outcome reports them.
 */
export async function sendOnce(
  access: Access,
  message: ExternalMessage,
  options: SendOptions = {},
): Promise<SendOutcome> {
  const { signal, clock = systemClock, log = silentLog, lookupMs = defaultLookupMs } = options;
  if (signal?.aborted === true) {
    return { state: 'not-sent', error: abortedError(signal.reason) };
  }
  const since = clock.now() / 1000 - clockMargin;
  let error: WorkbenchError;
  try {
    const answered = await handOver(access, message, { signal, priority: 'user' });
    if (answered.every((hash) => hash === message.hash || hash === message.hashNorm)) {
      return { state: 'sent', resolved: false };
    }
    const isEmpty = answered.every((hash) => /^0+$/.test(hash));
    error = isEmpty ? emptyAnswerError(access.network.name) : otherHashError(access.network.name, answered);
  } catch (thrown) {
    error = toWorkbenchError(thrown);
    if (neverLeft(error)) {
      return { state: 'not-sent', error };
    }
  }
  const answeredAt = clock.monotonic();
  log.warn(`The message ${message.hashNorm} was submitted and answered ${error.code}; looking it up`);
  const isRefused = error.code === 'message-rejected';
  const found = await lookUp(access, message, since, {
    ...options,
    lookupMs: isRefused ? Math.min(refusedLookupMs, lookupMs) : lookupMs,
  });
  switch (found) {
    case 'seen':
      return { state: 'sent', resolved: true };
    case 'over':
      return { state: isRefused ? 'refused' : 'not-sent', error };
    case 'unseen': {
      const until = expiry(message);
      return isRefused
        ? { state: 'refused', error }
        : {
            state: 'unknown',
            error: unknownOutcomeError(message, error, until, clock.monotonic() - answeredAt),
            until,
          };
    }
  }
}

/** Hands the message over and returns the hashes in the service's answer: v2 gives none by its description. */
async function handOver(access: Access, message: ExternalMessage, options: CallOptions): Promise<string[]> {
  // The raw cell: a message that is serialized again may have another hash.
  const boc = message.cell.toBoc().toString('base64');
  const { v2, v3 } = access.network;
  if (v2 !== undefined) {
    try {
      const { hash, hash_norm: norm } = await access.v2.sendBoc({ boc }, options);
      return hashesIn([hash, norm]);
    } catch (error) {
      // The only failure after which another way is not a second attempt: nothing received the message.
      if (v3 === undefined || !WorkbenchError.is(error, 'unreachable')) {
        throw error;
      }
    }
  }
  const { message_hash: hash, message_hash_norm: norm } = await access.v3.message({ boc }, options);
  if (hash == null) {
    // Only the hash confirms that the message was accepted.
    throw wrongShapeError(v3Endpoints.message, { path: ['message_hash'], expected: 'a value' });
  }
  return hashesIn([hash, norm]);
}

/** Those of the values that are hashes, in lowercase hex. */
function hashesIn(values: readonly unknown[]): string[] {
  return values.flatMap((value) => {
    const read = hashValue.safeParse(value);
    return read.success ? [read.data] : [];
  });
}

/**
 * Looks for the message until it is found, has expired by the network's own clock, or `lookupMs` have passed.
 * @param since Unix seconds before which it was not handed over
 */
async function lookUp(
  access: Access,
  message: ExternalMessage,
  since: number,
  { signal, clock = systemClock, lookupMs = defaultLookupMs, lookupPauseMs = defaultPauseMs }: SendOptions,
): Promise<MessageFate> {
  const giveUpAt = clock.monotonic() + lookupMs;
  const { hashNorm, destination } = message;
  const handedOver = { hashNorm, destination, since, until: expiry(message) };
  for (;;) {
    try {
      const fate = await messageFate(access, handedOver, { signal, clock });
      if (fate !== 'unseen') {
        return fate;
      }
    } catch {
      // The network cannot answer now; it may later.
    }
    if (clock.monotonic() + lookupPauseMs > giveUpAt || signal?.aborted === true) {
      return 'unseen';
    }
    try {
      await clock.sleep(lookupPauseMs, signal);
    } catch {
      return 'unseen';
    }
  }
}

/** Unix seconds after which the wallet rejects the message; undefined if unknown or never. */
function expiry({ signed }: ExternalMessage): number | undefined {
  return signed?.validUntil === neverExpires ? undefined : signed?.validUntil;
}

function emptyAnswerError(network: string): WorkbenchError {
  return new WorkbenchError({
    code: 'send-answer-empty',
    kind: 'service',
    message: `The service of ${network} answered with an all-zero hash, which means that it does not send.`,
    hint: 'Choose a network whose service can send.',
  });
}

function otherHashError(network: string, hashes: readonly string[]): WorkbenchError {
  return new WorkbenchError({
    code: 'send-answer-other',
    kind: 'service',
    message: `The service of ${network} answered with the hash of another message: ${hashes.join(', ')}.`,
    hint: 'Choose a network whose service passes messages on unchanged.',
  });
}

function unknownOutcomeError(
  { hashNorm, signed }: ExternalMessage,
  cause: WorkbenchError,
  until: number | undefined,
  lookedForMs: number,
): WorkbenchError {
  const time = until === undefined ? '' : ` until ${new Date(until * 1000).toISOString()}`;
  const answer =
    cause.kind === 'network'
      ? 'the answer was lost'
      : `the answer does not say whether it was passed on (${cause.message.replace(/\.$/, '')})`;
  const again =
    signed?.seqno === undefined ? '' : ' The same message may be sent again: the wallet executes it once.';
  return new WorkbenchError({
    code: 'send-outcome-unknown',
    kind: 'network',
    message: `The message was submitted, ${answer}, and the network has not shown it for ${Math.ceil(lookedForMs / 1000)} s.`,
    hint: `It may still be executed${time}: follow ${hashNorm} to find out, and do not sign another message before that.${again}`,
    details: { hash: hashNorm, answer: cause.code, ...(until === undefined ? {} : { until }) },
    cause,
  });
}
