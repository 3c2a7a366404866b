import { clockTime, milliseconds, visibleText } from '../../base/text';
import type { Attempt } from '../send/sendHttpRequest';
import { meets } from '../send/scenarios';
import type { SendResult } from '../send/sendScenario';
import type { Standing, WebhookNode } from './deliveryNodes';

/** A test that was sent to the developer's own server, as it is kept for its row. */
export interface SentTest {
  /** ISO 8601, of the first attempt: no two tests of a window share it. */
  at: string;
  /** Without credentials in it. */
  url: string;
  /** The outcome as one sentence. */
  text: string;
  standing: Extract<Standing, 'good' | 'warning' | 'bad'>;
  attempts: readonly SentAttemptRow[];
}

interface SentAttemptRow {
  name: string;
  at: string;
  isGood: boolean;
  text: string;
}

/** Characters of a receiver's answer that a row has. */
const longestAnswer = 200;

/** A scenario that was sent. */
export function sentScenario(result: SendResult): SentTest {
  const several = result.attempts.some(({ delivery }) => delivery > 1);
  return {
    at: result.attempts[0]?.startedAt ?? '',
    url: shortUrl(result.url),
    text: summarizeSend(result),
    standing: sendStanding(result),
    attempts: result.attempts.map((attempt) => ({
      ...attemptRow(attempt, isAsExpected(attempt, result)),
      name: several
        ? `delivery ${attempt.delivery}, attempt ${attempt.attempt}`
        : `attempt ${attempt.attempt}`,
    })),
  };
}

/** A delivery that was sent once more. @param what the delivery: `order-1` */
export function sentAgain(what: string, url: string, attempt: Attempt, isDelivered: boolean): SentTest {
  return {
    at: attempt.startedAt,
    url: shortUrl(url),
    text: `resent ${visibleText(what, 60)}: ${describeAttempt(attempt)}`,
    standing: isDelivered ? 'good' : 'bad',
    attempts: [attemptRow(attempt, isDelivered)],
  };
}

/** One row for all tests of the developer's own server, newest first, each with its attempts. */
export function sentNodes(tests: readonly SentTest[]): WebhookNode[] {
  if (tests.length === 0) {
    return [];
  }
  const good = tests.filter(({ standing }) => standing === 'good').length;
  const count = `${tests.length} sent`;
  return [
    {
      id: 'sent',
      label: 'tests of your server',
      description: `${count}, ${good === tests.length ? 'all as expected' : `${good} as expected`}`,
      standing: good === tests.length ? 'good' : 'warning',
      icon: 'beaker',
      tooltip: 'Test webhooks that you sent to your own server',
      contextValue: 'group',
      children: tests.map(sentNode),
      expanded: true,
    },
  ];
}

function sentNode({ at, url, text, standing, attempts }: SentTest): WebhookNode {
  const id = `sent/${at}/${url}`;
  return {
    id,
    label: text,
    description: [clockOf(at), url].join('   '),
    standing,
    tooltip: `${text}\n${url}\n${at} (UTC)`,
    contextValue: 'sent',
    children: attempts.map((attempt, index) => ({
      id: `${id}/${index}`,
      label: attempt.name,
      description: `${clockOf(attempt.at)}   ${attempt.text}`,
      standing: attempt.isGood ? 'good' : 'bad',
    })),
  };
}

function attemptRow(attempt: Attempt, isGood: boolean): SentAttemptRow {
  const answer = visibleText(attempt.answer.trim(), longestAnswer);
  const text = `${describeAttempt(attempt)}${answer === '' ? '' : `: ${answer}`}`;
  return { name: `attempt ${attempt.attempt}`, at: attempt.startedAt, isGood, text };
}

/** Host and path: what follows may be a token. */
function shortUrl(url: string): string {
  const { host, pathname } = new URL(url);
  return visibleText(`${host}${pathname}`, 200);
}

function clockOf(time: string): string {
  return clockTime(Date.parse(time) / 1000);
}

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
function isAsExpected(
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
