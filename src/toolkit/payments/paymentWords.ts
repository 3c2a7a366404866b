import { canonicalAddress } from '../address/canonicalAddress';
import { shortAddress, wholeAddress } from '../address/shortAddress';
import { clockTime, milliseconds, shortenMiddle, visibleText } from '../base/text';
import { clauseOf } from '../webhook/delivery/delivery';
import type { OrderTrouble } from '../webhook/orders/parseOrders';
import { decimalsBetween, fromBaseUnits } from '../webhook/values/amount';
import { assetName } from '../webhook/values/asset';
import type {
  MockPayment,
  PaymentChange,
  PaymentProblem,
  PaymentWebhook,
  WebhookAttempt,
} from './mockPayment';

/** Where a payment stands. */
export interface PaymentStanding {
  standing: 'waiting' | 'paid' | 'failed' | 'warning';
  /** In a few words, with the time. */
  text: string;
}

/** `25 USDT`, with the amount as requested. */
export function paymentAmount({ amount, asset, assetTicker }: MockPayment): string {
  return `${amount} ${visibleText(shortAsset(asset, assetTicker), 40)}`;
}

/** Where a payment stands, and why it is not paid. */
export function paymentStanding(payment: MockPayment): PaymentStanding {
  const { status, date, settledAt = date, createdAt, webhook } = payment;
  const trouble = paymentTrouble(payment);
  switch (status) {
    case 'success': {
      const text = [
        `paid ${timeOf(settledAt)}`,
        ...(trouble === undefined ? [] : [trouble.text]),
        ...(webhook === undefined ? [] : [webhookWords(webhook)]),
      ];
      const isWarned = trouble !== undefined || isRefused(webhook);
      return { standing: isWarned ? 'warning' : 'paid', text: text.join(', ') };
    }
    case 'failed':
      return { standing: 'failed', text: `not paid: the payment bounced ${timeOf(settledAt)}` };
    case 'pending':
      return trouble === undefined
        ? { standing: 'waiting', text: `waiting since ${timeOf(createdAt)}` }
        : { standing: 'warning', text: `not paid: ${trouble.text}` };
  }
}

/** What is not as it should be with a payment, though no webhook tells; for its row, and for the board of webhooks. */
export function paymentTrouble(payment: MockPayment): OrderTrouble | undefined {
  const { status, problems, undone } = payment;
  if (status === 'success') {
    const text = paidAgainWords(payment);
    return text === undefined ? undefined : { isPaid: true, text };
  }
  if (status === 'failed') {
    return undefined;
  }
  const wrong = problems.findLast(({ kind }) => kind === 'wrong-amount');
  if (undone != null && (wrong === undefined || seenAt(wrong) < undone.at)) {
    return { isPaid: false, text: `undone ${timeOf(undone.at)}, the network went back` };
  }
  return wrong && { isPaid: false, text: `${problemWords(payment, wrong)} ${timeOf(seenAt(wrong))}` };
}

/** When a problem came, by this machine's time if it is known. */
function seenAt({ seenAt, at }: PaymentProblem): string {
  return seenAt ?? at;
}

/** What a message that did not settle its payment did. */
function problemWords(payment: MockPayment, { kind, rawAmount }: PaymentProblem): string {
  switch (kind) {
    case 'paid-again':
      return `paid again${rawAmount === null ? '' : ` with ${arrivedAmount(payment, rawAmount)}`}, although it was paid already`;
    case 'bounced':
      return 'another message bounced';
    case 'wrong-amount':
      return rawAmount === null ? 'an unknown amount arrived' : wrongAmountWords(payment, rawAmount);
  }
}

/** How often a paid payment was paid again, and how much if it was once. */
function paidAgainWords(payment: MockPayment): string | undefined {
  const again = payment.problems.filter(({ kind }) => kind === 'paid-again');
  const [one] = again;
  if (one === undefined) {
    return undefined;
  }
  const much = one.rawAmount === null ? '' : ` with ${arrivedAmount(payment, one.rawAmount)}`;
  return again.length > 1 ? `paid again ${again.length} times` : `paid again${much}`;
}

/** What has become of a webhook. */
function webhookWords({ state, attempts, dueAt, nextAt }: PaymentWebhook): string {
  const last = attempts.at(-1);
  switch (state) {
    case 'sending':
      return last === undefined
        ? 'webhook on its way'
        : `${refusalWords(last)}; ${nextAt === undefined ? 'it will be tried again' : `next attempt at ${timeOf(nextAt)}`}`;
    case 'delivered':
      return last === undefined ? 'webhook delivered' : `webhook ${attemptWords(last)}`;
    case 'failed':
      return `webhook not delivered${last === undefined ? '' : `: ${attemptWords(last)}`}`;
    case 'late':
      return `webhook held back until ${dueAt === undefined ? 'later' : timeOf(dueAt)}`;
    case 'never':
      return 'no webhook, on purpose';
    case 'no-url':
      return 'no webhook: no URL is set';
    case 'undone':
      return 'webhook not sent: the payment was undone first';
  }
}

/** What has just happened to a payment. */
export function paymentChangeWords({ change, payment }: PaymentChange): string {
  const { problems, webhook, txHash } = payment;
  const problem = problems.at(-1);
  const last = webhook?.attempts.at(-1);
  const answer = last === undefined ? '' : attemptWords(last);
  switch (change) {
    case 'created':
      return 'created';
    case 'settled':
      return `paid in transaction ${txHash}`;
    case 'failed':
      return `failed: the payment bounced in transaction ${txHash}`;
    case 'wrong-amount':
      return problem === undefined
        ? 'not paid: another amount arrived'
        : `not paid: ${problemWords(payment, problem)}, in transaction ${problem.txHash}`;
    case 'paid-again':
      return `paid again in transaction ${problem?.txHash ?? ''}, although it was paid already`;
    case 'undone':
      return 'undone: the network went back to an earlier block';
    case 'restored':
      return `paid as before, in transaction ${txHash}: the network has it again`;
    case 'bounced':
      return `another message bounced in transaction ${problem?.txHash ?? ''}`;
    case 'attempt':
      return `webhook not delivered yet: ${answer}`;
    case 'delivered':
      return `webhook delivered: ${answer}`;
    case 'undelivered':
      return `webhook not delivered, and given up: ${answer}`;
    case 'late':
    case 'withheld':
    case 'no-url':
      return webhook === undefined ? 'no webhook' : webhookWords(webhook);
  }
}

/** Whether the shop has not taken a webhook, so far or in the end. */
function isRefused(webhook: PaymentWebhook | undefined): boolean {
  const isUnderWay = webhook?.state === 'sending' && webhook.attempts.length > 0;
  return isUnderWay || webhook?.state === 'failed';
}

/** `webhook answered 401 (94 ms)`. */
function refusalWords(attempt: WebhookAttempt): string {
  const { status, error, ms } = attempt;
  const answer = status === null ? `without an answer, ${noAnswerWords(error)}` : `answered ${status}`;
  return `webhook ${answer} (${milliseconds(ms)})${whyWords(attempt)}`;
}

/** `200 in 3 ms`. */
function attemptWords(attempt: WebhookAttempt): string {
  const { status, error, ms } = attempt;
  return `${status ?? noAnswerWords(error)} in ${milliseconds(ms)}${whyWords(attempt)}`;
}

function noAnswerWords(error: string | null): string {
  return clauseOf(visibleText(error ?? 'no answer', 200));
}

function whyWords({ receiverExpects }: WebhookAttempt): string {
  return receiverExpects === undefined ? '' : `, because the listener expects ${receiverExpects} webhooks`;
}

/** The time of day of an ISO 8601 time. */
export function timeOf(iso: string): string {
  return clockTime(Date.parse(iso) / 1000);
}

function wrongAmountWords(payment: MockPayment, raw: string): string {
  const how = BigInt(raw) < BigInt(payment.rawAmount) ? 'too little' : 'too much';
  return `${arrivedAmount(payment, raw)} arrived, ${how}`;
}

/** `0.05 TON`, of base units. */
function arrivedAmount({ amount, rawAmount, asset, assetTicker }: MockPayment, raw: string): string {
  const decimals = decimalsBetween(amount, rawAmount) ?? 0;
  return `${fromBaseUnits(BigInt(raw), decimals)} ${visibleText(shortAsset(asset, assetTicker), 40)}`;
}

function shortAsset(asset: string, ticker: string | undefined): string {
  const name = assetName(asset, ticker);
  return name === asset ? name : shortenMiddle(name);
}

const symbols: Readonly<Record<PaymentStanding['standing'], string>> = {
  waiting: '◌',
  paid: '✓',
  failed: '✗',
  warning: '!',
};

/** `1.5 TON to bob`. */
export function paymentTitle(payment: MockPayment, nameOf: (address: string) => string | undefined): string {
  const { recipient } = payment;
  return `${paymentAmount(payment)} to ${nameOf(recipient) ?? shortAddress(recipient)}`;
}

/** A payment as a document: where it stands, what names it, what the wallet must send, and what has happened. */
export function describePayment(
  payment: MockPayment,
  nameOf: (address: string) => string | undefined,
): string {
  const { standing, text } = paymentStanding(payment);
  const who = (address: string): string => {
    const raw = canonicalAddress(address);
    const name = raw === undefined ? undefined : nameOf(raw);
    const shown = visibleText(wholeAddress(address), 100);
    return name === undefined ? shown : `${name}  ${shown}`;
  };
  const { message, commentToSender, commentToRecipient } = payment;
  const rows: [string, string | undefined][] = [
    ['reference', payment.reference],
    ['body hash', payment.bodyBase64Hash],
    ['amount', `${paymentAmount(payment)}, ${payment.rawAmount} base units`],
    [
      'asset',
      payment.asset === payment.assetTicker ? undefined : visibleText(wholeAddress(payment.asset), 100),
    ],
    ['sender', who(payment.senderAddr)],
    ['recipient', who(payment.recipientAddr)],
    ['comment', commentToRecipient && visibleText(commentToRecipient)],
    ['for sender', commentToSender && visibleText(commentToSender)],
  ];
  return [
    `${symbols[standing]} ${paymentTitle(payment, nameOf)}: ${text}`,
    rowsText(rows),
    `what the wallet sends\n${rowsText([
      ['to', who(message.address)],
      ['nanocoins', message.amount],
      ['body', message.payload],
    ])}`,
    `what has happened\n${rowsText(history(payment))}`,
  ]
    .map((part) => `${part}\n`)
    .join('\n');
}

/** By this machine's time, because the network's may be elsewhere; in one second, causes come before what follows. */
function history(payment: MockPayment): [string, string][] {
  const { createdAt, status, problems, webhook, undone } = payment;
  const settled: [string, string][] = [
    ...(undone == null ? [] : [settlement(undone, webhook)]),
    ...(status === 'pending' ? [] : [settlement(payment, webhook)]),
  ];
  const told = (...kinds: readonly PaymentProblem['kind'][]): [string, string][] =>
    problems
      .filter(({ kind }) => kinds.includes(kind))
      .map((problem) => [
        seenAt(problem),
        `${problemWords(payment, problem)}, transaction ${problem.txHash}`,
      ]);
  const attempts = (webhook?.attempts ?? []).map((one): [string, string] => [
    one.at,
    `webhook: ${attemptWords(one)}`,
  ]);
  const happened: [string, string][] = [
    [createdAt, 'created'],
    ...told('wrong-amount'),
    ...settled,
    ...told('paid-again', 'bounced'),
    ...attempts,
    ...(undone == null
      ? []
      : [[undone.at, 'undone: the network went back to an earlier block'] as [string, string]]),
  ];
  const lines = happened
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([at, text]): [string, string] => [timeOf(at), text]);
  if (webhook === undefined || (webhook.state === 'delivered' && attempts.length > 0)) {
    return lines;
  }
  const next: [string, string][] = webhook.state === 'failed' ? [['', afterLastAttempt]] : [];
  return [...lines, ['', webhookWords(webhook)], ...next];
}

function settlement(
  { status, date, settledAt, txHash }: Pick<MockPayment, 'status' | 'date' | 'settledAt' | 'txHash'>,
  webhook: MockPayment['webhook'],
): [string, string] {
  // Of an older journal: at the latest when its webhook was first sent.
  const [at = date] = [date, ...(webhook?.attempts ?? []).map(({ at }) => at)].toSorted();
  return [settledAt ?? at, `${status === 'success' ? 'paid' : 'bounced'} in transaction ${txHash}`];
}

const afterLastAttempt =
  'It is not sent again: let your shop ask for the status of this payment, and fix its receiver for the next one.';

function rowsText(rows: readonly [string, string | undefined][]): string {
  return rows.flatMap(([name, value]) => (value ? [`  ${name.padEnd(10)}  ${value}`] : [])).join('\n');
}
