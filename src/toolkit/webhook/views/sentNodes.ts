import { clockTime } from '../../clockTime';
import { visibleText } from '../../text';
import type { Attempt } from '../send/deliver';
import type { SendResult } from '../send/sendScenario';
import { describeAttempt, isAsExpected, sendStanding, summarizeSend } from './describeSend';
import type { Standing, WebhookNode } from './webhookNode';

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
