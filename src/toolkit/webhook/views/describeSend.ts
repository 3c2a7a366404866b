import { milliseconds, visibleText } from '../../text';
import type { Attempt } from '../send/deliver';
import { meets } from '../send/scenarios';
import type { SendResult } from '../send/sendScenario';

/** One attempt as text: `200 in 3 ms`, `no answer after 10 000 ms: …`. */
export function describeAttempt({ status, ms, error }: Pick<Attempt, 'status' | 'ms' | 'error'>): string {
  const time = milliseconds(ms);
  return status === null ? `no answer after ${time}: ${error?.message ?? ''}`.trim() : `${status} in ${time}`;
}

/** An attempt that may be followed by more: `attempt 1: 500 in 3 ms, again in 5 s`. */
export function describeProgress(attempt: Attempt, waitMs: number | undefined): string {
  const next = waitMs === undefined ? '' : `, again in ${Math.round(waitMs / 100) / 10} s`;
  return `attempt ${attempt.attempt}: ${describeAttempt(attempt)}${next}`;
}

/** The waits before each retry: `1, 5, and 15 s`, `5 s, 5 min, and 30 min`; undefined if there are none. */
export function describeWaits(delaysMs: readonly number[]): string | undefined {
  const waits = delaysMs.filter((ms) => ms > 0).map((ms) => ms / 1000);
  const list = (parts: readonly string[]): string => new Intl.ListFormat('en').format(parts);
  if (waits.length === 0) {
    return undefined;
  }
  return waits.every((seconds) => seconds < 60)
    ? `${list(waits.map(String))} s`
    : list(waits.map((seconds) => (seconds < 60 ? `${seconds} s` : `${seconds / 60} min`)));
}

/** What an outcome is worth: a receiver that took the delivery only after failures is not good. */
export function sendStanding(
  result: Pick<SendResult, 'ok' | 'attempts' | 'expected'>,
): 'good' | 'warning' | 'bad' {
  if (!result.ok) {
    return 'bad';
  }
  return result.attempts.every((attempt) => isAsExpected(attempt, result)) ? 'good' : 'warning';
}

/** The standing as one sign. */
export function sendSymbol(result: Pick<SendResult, 'ok' | 'attempts' | 'expected'>): '✓' | '!' | '✗' {
  return ({ good: '✓', warning: '!', bad: '✗' } as const)[sendStanding(result)];
}

/** Whether one attempt was answered as it should be; a scenario that cuts the answer off expects none. */
export function isAsExpected(
  { status, error }: Pick<Attempt, 'status' | 'error'>,
  { expected }: Pick<SendResult, 'expected'>,
): boolean {
  return meets(status, expected) || error?.code === 'endpoint-cut';
}

/** A scenario's outcome, as one sentence. */
export function summarizeSend(result: SendResult): string {
  const { scenario, ok, expected, attempts, delivered } = result;
  const last = attempts.at(-1);
  const answer = last === undefined ? 'nothing was sent' : describeAttempt(last);
  const tries = attempts.length > 1 ? ` (${attempts.length} attempts)` : '';
  if (ok) {
    const failed = attempts.filter((attempt) => !isAsExpected(attempt, result));
    const statuses = failed.map(({ status }) => status ?? 'no answer').join(', ');
    return failed.length === 0
      ? `${scenario}: answered ${answer}${tries}, as expected.`
      : `${scenario}: failed ${failed.length === 1 ? 'once' : `${failed.length} times`} (${statuses}), then answered ${answer}.`;
  }
  const consequence = delivered ? '' : ' The service would show this delivery as failed.';
  return `${scenario}: ${answer}${tries}; a receiver should answer ${expected}.${consequence}`;
}

/** The report of a test webhook: what was sent, and each attempt. */
export function describeSend(result: SendResult, title: string): string {
  const rows = result.attempts.map((attempt) => {
    const number = `${attempt.delivery}.${attempt.attempt}`;
    const answer = attempt.answer === '' ? '' : `\n         ${visibleText(attempt.answer, 500)}`;
    const symbol = isAsExpected(attempt, result) ? '✓' : '✗';
    return `  ${symbol} ${number.padEnd(4)} ${attempt.startedAt}  ${describeAttempt(attempt)}${answer}`;
  });
  return [
    `${sendSymbol(result)} ${summarizeSend(result)}`,
    `  ${title}`,
    '',
    `to         ${result.url}`,
    `reference  ${visibleText(result.reference, 200)}`,
    `expected   ${result.expected}`,
    '',
    'attempts (delivery.attempt, started, answer)',
    ...rows,
    '',
  ].join('\n');
}
