import { canonicalAddress } from '../address/canonicalAddress';
import { shortAddress, wholeAddress } from '../address/shortAddress';
import { visibleText } from '../text';
import type { MockPayment, PaymentProblem } from './mockPayment';
import {
  attemptWords,
  paymentAmount,
  paymentStanding,
  problemWords,
  seenAt,
  timeOf,
  webhookWords,
} from './paymentWords';
import type { PaymentStanding } from './paymentWords';

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
