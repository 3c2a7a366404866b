import { toWorkbenchError } from '../../errors';
import type { ErrorCode } from '../../errorCodes';
import { systemClock } from '../../time';
import type { Clock } from '../../time';
import type { HeaderList } from '../delivery/headerList';
import { sendHttpRequest } from './sendHttpRequest';
import type { HttpRequestParameters } from './sendHttpRequest';
import type { DeliveryPolicy } from '../provider/provider';

/** One attempt to deliver. */
export interface Attempt {
  /** From 1. */
  attempt: number;
  /** ISO 8601. */
  startedAt: string;
  /** Milliseconds until the answer, or until the attempt was given up. */
  ms: number;
  /** HTTP status; null without a complete answer. */
  status: number | null;
  /** Why there is no status. */
  error: { code: ErrorCode; message: string } | null;
  /** Beginning of the answer's body, as text. */
  answer: string;
}

export interface DeliveryOutcome {
  delivered: boolean;
  attempts: Attempt[];
}

export interface DeliverParameters {
  url: URL;
  headers: HeaderList;
  body: Buffer;
  policy: DeliveryPolicy;
  /**
   * Factor for the waits between attempts: 1 is real time, 0.01 a hundred times faster. The time limit of an answer
   * and the speed of a body are unaffected, because the receiver is judged by them.
   */
  timeScale?: number | undefined;
  /** Maximum retries; default: the service's number. */
  retries?: number | undefined;
  /**
   * Whether an answer that means "not delivered" also ends the attempts, such as a refusal that a test
   * expects.
   */
  isFinal?: ((status: number) => boolean) | undefined;
  pace?: HttpRequestParameters['pace'];
  /** Close the first attempt's connection before its answer. */
  cutFirstAnswer?: boolean | undefined;
  signal?: AbortSignal | undefined;
  clock?: Clock | undefined;
  /** Called after each attempt, with the wait before the next in milliseconds, if there is one. */
  onAttempt?: ((attempt: Attempt, waitMs: number | undefined) => void) | undefined;
}

/**
 * Delivers a body as the service does: same time limit, same retries on everything but 2xx, no redirects.
 * @throws WorkbenchError `aborted`
 */
export async function deliver(parameters: DeliverParameters): Promise<DeliveryOutcome> {
  const { policy, retries, isFinal, timeScale = 1, signal, clock = systemClock, onAttempt } = parameters;
  const delays = policy.retryDelaysMs.slice(0, retries);
  const attempts: Attempt[] = [];
  for (let number = 1; ; number++) {
    const attempt = await attemptOnce(parameters, number, clock);
    attempts.push(attempt);
    const delivered = attempt.status !== null && policy.isDelivered(attempt.status);
    const ended = delivered || (attempt.status !== null && isFinal?.(attempt.status) === true);
    const delay = ended ? undefined : delays[number - 1];
    const waitMs = delay === undefined ? undefined : delay * timeScale;
    onAttempt?.(attempt, waitMs);
    if (waitMs === undefined) {
      return { delivered, attempts };
    }
    await clock.sleep(waitMs, signal);
  }
}

async function attemptOnce(parameters: DeliverParameters, number: number, clock: Clock): Promise<Attempt> {
  const { url, headers, body, policy, pace, signal, cutFirstAnswer } = parameters;
  const base = { attempt: number, startedAt: new Date(clock.now()).toISOString() };
  try {
    const answer = await sendHttpRequest({
      url,
      method: 'POST',
      headers,
      body,
      timeoutMs: policy.timeoutMs,
      pace,
      clock,
      signal,
      cutAnswer: cutFirstAnswer === true && number === 1,
    });
    return { ...base, ms: answer.ms, status: answer.status, error: null, answer: answer.text };
  } catch (thrown) {
    const error = toWorkbenchError(thrown);
    if (error.code === 'aborted') {
      throw error;
    }
    const ms = typeof error.details.ms === 'number' ? error.details.ms : 0;
    return { ...base, ms, status: null, error: { code: error.code, message: error.message }, answer: '' };
  }
}
