import type { Access, CallOptions } from '../access/createAccess';
import { WorkbenchError, toWorkbenchError } from '../errors';
import { silentLog } from '../log';
import type { Log } from '../log';
import { systemClock } from '../time';
import type { Clock } from '../time';
import type { ExternalMessage } from './externalMessage';
import { findMessage } from './findMessage';

/** What became of the one attempt to send a message. */
export type SendOutcome =
  /** The service took it. `resolved`: its answer was lost, and the message was found on the network. */
  | { state: 'sent'; resolved: boolean }
  /** The service or the contract refused it: it is not on the network. */
  | { state: 'refused'; error: WorkbenchError }
  /** It never left, or the service did nothing with it. */
  | { state: 'not-sent'; error: WorkbenchError }
  /** The answer was lost and the message has not been seen. It may still arrive until `until` (Unix seconds). */
  | { state: 'unknown'; error: WorkbenchError; until: number | undefined };

/** How one message is sent. */
export interface SendOptions {
  signal?: AbortSignal | undefined;
  clock?: Clock | undefined;
  log?: Log | undefined;
  /** How long a lost message is looked for, in milliseconds; default 30 s. */
  lookupMs?: number | undefined;
  /** Pause between two looks, in milliseconds; default 1 s. */
  lookupPauseMs?: number | undefined;
}

const defaultLookupMs = 30_000;
const defaultPauseMs = 1000;

/** After a message has expired, blocks that were made before may still become visible for so long, in seconds. */
const visibilityDelay = 30;

/** Refusals that say for certain that the service passed nothing on. */
const nothingDone: ReadonlySet<string> = new Set([
  'unreachable',
  'rate-limited',
  'unauthorized',
  'wrong-network-key',
  'forbidden',
  'bad-request',
  'not-found',
  'conflict',
  'redirect-refused',
  'api-missing',
  'parameter-invalid',
]);

/**
 * Sends the message over v2 (sendBocReturnHash, else sendBoc), or over v3 where the network has no v2. It is handed over
 * at most once: when the answer is lost, the network is asked for the normalised hash instead of sending again. Never
 * throws for what the network does; the outcome says it.
 */
export async function sendOnce(
  access: Access,
  message: ExternalMessage,
  options: SendOptions = {},
): Promise<SendOutcome> {
  const log = options.log ?? silentLog;
  try {
    const hash = await handOver(access, message, { signal: options.signal, priority: 'user' });
    if (hash !== undefined && /^0+$/.test(hash)) {
      return { state: 'not-sent', error: emptyAnswerError(access.network.name) };
    }
    return { state: 'sent', resolved: false };
  } catch (thrown) {
    const error = toWorkbenchError(thrown);
    if (error.code === 'message-rejected') {
      return { state: 'refused', error };
    }
    if (nothingDone.has(error.code)) {
      return { state: 'not-sent', error };
    }
    log.warn(`The answer to the message ${message.hashNorm} was lost (${error.code}); looking it up`);
    return lookUp(access, message, error, options);
  }
}

/** Hands the message over and returns the hash that the service names, if it names one. */
async function handOver(
  access: Access,
  message: ExternalMessage,
  options: CallOptions,
): Promise<string | undefined> {
  // The raw cell: a message that is serialised again may have another hash.
  const boc = message.cell.toBoc().toString('base64');
  if (access.network.v2 === undefined) {
    return (await access.v3.message({ boc }, options)).message_hash;
  }
  try {
    return (await access.v2.sendBocReturnHash({ boc }, options)).hash;
  } catch (error) {
    // Only a service that does not know the method has certainly not sent anything.
    if (!WorkbenchError.is(error, 'not-found')) {
      throw error;
    }
    await access.v2.sendBoc({ boc }, options);
    return undefined;
  }
}

async function lookUp(
  access: Access,
  message: ExternalMessage,
  error: WorkbenchError,
  { signal, clock = systemClock, lookupMs = defaultLookupMs, lookupPauseMs = defaultPauseMs }: SendOptions,
): Promise<SendOutcome> {
  const giveUpAt = clock.monotonic() + lookupMs;
  const until = expiry(message);
  for (;;) {
    // Judged before the look: what is not visible long after its expiry never will be.
    const over = until !== undefined && clock.now() / 1000 > until + visibilityDelay;
    try {
      if ((await findMessage(access, message, signal)) !== undefined) {
        return { state: 'sent', resolved: true };
      }
      if (over) {
        return { state: 'not-sent', error };
      }
    } catch {
      // The network cannot be asked now; it may answer later.
    }
    if (clock.monotonic() + lookupPauseMs > giveUpAt || signal?.aborted === true) {
      return { state: 'unknown', error: unknownOutcomeError(error, until), until };
    }
    try {
      await clock.sleep(lookupPauseMs, signal);
    } catch {
      return { state: 'unknown', error: unknownOutcomeError(error, until), until };
    }
  }
}

/** Unix seconds after which the wallet refuses the message; undefined when it does not say or never does. */
function expiry({ signed }: ExternalMessage): number | undefined {
  return signed?.validUntil === 0xffffffff ? undefined : signed?.validUntil;
}

function emptyAnswerError(network: string): WorkbenchError {
  return new WorkbenchError({
    code: 'send-answer-empty',
    kind: 'service',
    message: `The service of ${network} answered with an all-zero hash: it does not send messages.`,
    hint: 'Nothing was sent. Choose a network whose service sends.',
  });
}

function unknownOutcomeError(cause: WorkbenchError, until: number | undefined): WorkbenchError {
  const time = until === undefined ? '' : ` until ${new Date(until * 1000).toISOString()}`;
  return new WorkbenchError({
    code: 'send-outcome-unknown',
    kind: 'network',
    message:
      'The message was handed over, the answer was lost, and the network does not show the message yet.',
    hint: `It may still be executed${time}. Do not sign another one before that; look for the hash instead.`,
    details: { ...(until === undefined ? {} : { until }) },
    cause,
  });
}
