import { isUtf8 } from 'node:buffer';
import { capitalized, groupDigits, milliseconds, visibleText } from '../../text';
import type { Delivery, ForwardResult, FullDelivery, PaymentSummary, RuleResult } from '../delivery/delivery';
import { deliveryParts } from './deliveryRow';
import { withAccountName } from './withAccountName';
import type { AccountNaming } from './withAccountName';
import { isHttpSuccess } from '../values/isHttpSuccess';

const symbols: Readonly<Record<RuleResult['verdict'], string>> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  skip: '·',
};

/** Bytes of a body shown as a hex dump. */
const dumpedBytes = 2 * 1024;

/**
 * A delivery as a readable document: verdict first, then the evidence, then payload, headers, and raw bytes.
 * @param nameOf the names of accounts in the payment
 */
export function describeDelivery(delivery: FullDelivery, nameOf?: AccountNaming): string {
  const { symbol, text, answer, forwarded } = deliveryParts(delivery);
  const answers = forwarded === '' ? answer : `${answer}, ${forwarded}`;
  const sections = [
    [`${symbol} ${capitalized(text)}`, `  answered ${answers}`, ...reasonLines(delivery, text)],
    receivedLines(delivery),
    signatureLines(delivery),
    ruleLines(delivery.rules),
    delivery.warnings.map((warning) => `! ${visibleText(warning, 500)}`),
    paymentLines(delivery.payment, nameOf),
    forwardLines(delivery),
    payloadLines(delivery),
    delivery.headers.length === 0
      ? []
      : [
          'headers',
          ...delivery.headers.map(([name, value]) => `  ${visibleText(name)}: ${visibleText(value, 2_000)}`),
        ],
    rawLines(delivery.body),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** The reason, unless the first line, the signature, or a rule says it in the same words. */
function reasonLines({ reason, rules, signature }: Delivery, headline: string): string[] {
  const elsewhere = [
    headline,
    ...rules.map(({ text }) => text),
    signature?.ok === false ? signature.text : '',
  ];
  const isSaid = elsewhere.some((text) => reason !== null && plainWords(text).includes(plainWords(reason)));
  return reason === null || isSaid ? [] : [`  ${visibleText(reason, 1_000)}`];
}

function plainWords(text: string): string {
  return text.toLowerCase().replace(/\.$/, '');
}

function receivedLines(delivery: Delivery): string[] {
  const { receivedAt, method, target, bodyBytes, elapsedMs, provider, id } = delivery;
  return [
    `received   ${receivedAt} (UTC), ${visibleText(method)} ${visibleText(target, 500)}, ${groupDigits(bodyBytes)} bytes`,
    `checked in ${milliseconds(elapsedMs)}, as ${provider}, kept as ${id}`,
  ];
}

function signatureLines({ signature }: Delivery): string[] {
  if (signature === null) {
    return ['signature  · not checked: the request was refused before its body was read'];
  }
  return signature.ok
    ? [`signature  ✓ matches the secret ${visibleText(signature.secret)} (${visibleText(signature.header)})`]
    : [`signature  ✗ ${visibleText(signature.text, 1_000)}`];
}

function ruleLines(rules: readonly RuleResult[]): string[] {
  return rules.length === 0
    ? []
    : [
        'rules',
        ...rules.map(
          ({ rule, verdict, text }) => `  ${symbols[verdict]} ${rule.padEnd(9)}  ${visibleText(text, 1_000)}`,
        ),
      ];
}

function paymentLines(payment: PaymentSummary | null, nameOf: AccountNaming | undefined): string[] {
  if (payment === null) {
    return [];
  }
  const { amount, rawAmount, asset, ticker, errorCode, errorMessage } = payment;
  const rows: [name: string, value: string | null][] = [
    [
      'amount',
      `${amount} ${ticker ?? (asset === 'TON' ? 'TON' : '')}`.trim() +
        `  (${groupDigits(rawAmount)} base units)`,
    ],
    ['asset', asset],
    ['sender', payment.sender],
    ['recipient', payment.recipient],
    ['txHash', payment.txHash],
    ['traceId', payment.traceId],
    ['bodyHash', payment.bodyBase64Hash ?? null],
    ['date', payment.date],
    ['comment', payment.comment],
    [
      'error',
      errorCode === null && errorMessage === null ? null : `${errorCode ?? ''} ${errorMessage ?? ''}`,
    ],
  ];
  return [
    'payment',
    ...rows.flatMap(([name, value]) =>
      value === null
        ? []
        : [`  ${name.padEnd(9)}  ${visibleText(withAccountName(value.trim(), nameOf), 1_000)}`],
    ),
  ];
}

function forwardLines({ forwarding, forwarded }: Delivery): string[] {
  if (forwarding) {
    return ['forwarded  ◌ waiting for the answer'];
  }
  return forwarded === null ? [] : forwardedLines(forwarded);
}

function forwardedLines({ url, status, ms, error, answer }: ForwardResult): string[] {
  const result =
    status === null
      ? `✗ ${visibleText(error ?? 'no answer', 500)}`
      : `${isHttpSuccess(status) ? '✓' : '✗'} ${status}`;
  const lines = [`forwarded  ${result}, ${milliseconds(ms)} of 10 s, to ${visibleText(url, 500)}`];
  return answer === '' ? lines : [...lines, `  ${visibleText(answer, 1_000)}`];
}

function payloadLines({ body, unknownFields }: FullDelivery): string[] {
  if (body.length === 0) {
    return [];
  }
  const lines = ['payload', ...prettyLines(body).map((line) => `  ${line}`)];
  return unknownFields.length === 0
    ? lines
    : [...lines, `  unknown fields: ${unknownFields.map((name) => visibleText(name)).join(', ')}`];
}

/** Indented JSON if it is JSON, else the text. Line breaks are ours; everything else invisible is escaped. */
function prettyLines(body: Buffer): string[] {
  if (!isUtf8(body)) {
    return ['(not UTF-8 text)'];
  }
  const text = body.toString('utf8');
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
      .split('\n')
      .map((line) => visibleText(line, 2_000));
  } catch {
    return [visibleText(text, 2_000)];
  }
}

function rawLines(body: Buffer): string[] {
  if (body.length === 0) {
    return [];
  }
  const lines = [`raw bytes (${groupDigits(body.length)})`];
  for (let offset = 0; offset < Math.min(body.length, dumpedBytes); offset += 16) {
    const row = body.subarray(offset, Math.min(offset + 16, dumpedBytes));
    const hex = row.toString('hex').replace(/../g, '$& ').padEnd(48);
    const text = row.toString('latin1').replace(/[^ -~]/g, '.');
    lines.push(`  ${offset.toString(16).padStart(6, '0')}  ${hex} ${text}`);
  }
  return body.length > dumpedBytes
    ? [...lines, `  … ${groupDigits(body.length - dumpedBytes)} more; the export has all`]
    : lines;
}
