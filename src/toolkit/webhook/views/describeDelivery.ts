import { isUtf8 } from 'node:buffer';
import {
  capitalized,
  clockTime,
  groupDigits,
  milliseconds,
  shortenMiddle,
  visibleText,
} from '../../base/text';
import type { Delivery, ForwardResult, FullDelivery, PaymentSummary, RuleResult } from '../delivery/delivery';
import { claimWords, clauseOf, refusalWords } from '../delivery/delivery';
import { describeOnPurpose } from '../delivery/onPurpose';
import { deliveryPolicyOf } from '../provider/providerOf';
import type { Scenario, ScenarioName } from '../send/scenarios';
import { meets } from '../send/scenarios';
import { everyScenario } from '../send/scenariosOf';
import { assetName } from '../values/asset';
import { isHttpSuccess } from '../values/isHttpSuccess';
import type { AccountNaming } from './deliveryNodes';
import { withAccountName } from './deliveryNodes';

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

/** The texts of a delivery's row; lists arrange the parts. */
interface DeliveryParts {
  /** Whether all is well: accepted, or a repeat of an accepted one, and not refused by the application. */
  ok: boolean;
  symbol: '✓' | '✗';
  /** Local time of day, `12:04:11`. */
  time: string;
  /** The payment: `completed 25.00 USDT  ref 8f3c01…d201`. */
  text: string;
  /** The answer: `200 in 3 ms`. */
  answer: string;
  /** The forward target's answer: `app 200 in 41 ms`; empty if nothing was forwarded. */
  forwarded: string;
}

/** The parts of a row. Untrusted texts are escaped. */
export function deliveryParts(delivery: Delivery): DeliveryParts {
  const test = testOf(delivery);
  const isRight = test?.ok ?? (delivery.verdict === 'accepted' || delivery.verdict === 'repeat');
  const ok = isRight && !isRefusedByApp(delivery);
  return {
    ok,
    symbol: ok ? '✓' : '✗',
    time: clockTime(Date.parse(delivery.receivedAt) / 1000),
    text: test?.text ?? textOf(delivery),
    answer:
      delivery.onPurpose?.how === 'delay'
        ? `${delivery.status}, ${describeOnPurpose(delivery.onPurpose)}`
        : delivery.status === 0
          ? 'not answered'
          : `${delivery.status}${isRight ? ` in ${milliseconds(delivery.elapsedMs)}` : ''}`,
    forwarded: delivery.forwarding ? 'app ◌' : forwardText(delivery.forwarded),
  };
}

/** Scenarios of a payment that is as it should be: if it does not fit its order, something is wrong. */
const genuine: ReadonlySet<string> = new Set<ScenarioName>(['success', 'duplicate', 'concurrent', 'retry']);

/** Whether the application did not accept what it should; what a test expects to be refused is not judged. */
function isRefusedByApp(delivery: Delivery): boolean {
  const { forwarded, test } = delivery;
  const { expected = '2xx' } = scenarioOf(test) ?? {};
  return (
    forwarded !== null &&
    expected === '2xx' &&
    (forwarded.status === null || !deliveryPolicyOf(delivery).isDelivered(forwarded.status))
  );
}

function scenarioOf(test: Delivery['test']): Scenario | undefined {
  return everyScenario.find(({ name }) => name === test?.scenario);
}

/**
 * The result of a test delivery, by what its scenario expects: `wrong-secret: refused, as expected`.
 * Undefined if it is not a test, or was not answered.
 */
function testOf(delivery: Delivery): { ok: boolean; text: string } | undefined {
  const { test, status, verdict } = delivery;
  const scenario = scenarioOf(test);
  if (scenario === undefined || status === 0) {
    return undefined;
  }
  const { name, expected } = scenario;
  if (verdict === 'on-purpose') {
    return { ok: false, text: `${name}: ${textOf(delivery)}` };
  }
  if (!meets(status, expected)) {
    return { ok: false, text: `${name}: ${textOf(delivery)}; expected ${expected}` };
  }
  if (verdict === 'mismatch' && genuine.has(name)) {
    return { ok: false, text: `${name}: ${textOf(delivery)}` };
  }
  const isPlain = verdict === 'accepted' || verdict === 'repeat';
  const said = expected === '2xx' ? textOf(delivery) : 'refused';
  return { ok: true, text: `${name}: ${said}${isPlain ? '' : ', as expected'}` };
}

/** One line: `✓ 12:04:12  completed 25.00 USDT  ref 8f3c01…d201   200 in 3 ms   app 200 in 41 ms`. */
export function deliveryRow(delivery: Delivery): string {
  const { symbol, time, text, answer, forwarded } = deliveryParts(delivery);
  return [`${symbol} ${time}  ${text}`, answer, forwarded].filter((part) => part !== '').join('   ');
}

/** The least important parts come last, because narrow lists truncate: verdict, reference, and amount come first. */
function textOf(delivery: Delivery): string {
  const { verdict, payment, reference, onPurpose, orderReference = reference } = delivery;
  const claim = claimWords(delivery);
  const reason = visibleText(delivery.reason ?? '', 200);
  const ref = orderReference === null ? '' : `  ref ${shortenMiddle(visibleText(orderReference, 200))}`;
  const amount =
    payment === null
      ? ''
      : `${visibleText(payment.amount, 40)} ${visibleText(assetName(payment.asset, payment.ticker), 20)}`;
  switch (verdict) {
    case 'accepted':
      return `completed ${amount}${ref}`;
    case 'repeat':
      return `repeat of ${shortenMiddle(visibleText(reference ?? '', 200))}, nothing to do`;
    case 'unknown-order':
      return `unknown order, ${amount}${ref}`;
    case 'mismatch':
      return `mismatch,${ref.slice(1)}: ${clauseOf(reason)}`;
    case 'transfer-failed':
      return `not completed,${ref.slice(1)}: ${clauseOf(reason)}`;
    case 'unknown-status':
      return `status ${visibleText(delivery.transfer ?? '', 40)} is not processed,${ref.slice(1)} ${amount}`.trimEnd();
    case 'wrong-event':
      return `${claim === '' ? '' : `${claim}: `}event ${visibleText(delivery.event ?? '', 60)} is not processed`;
    case 'on-purpose':
      return `${onPurpose === undefined ? reason : describeOnPurpose(onPurpose)}, ${amount}${ref}`;
    case 'bad-signature':
      return claim === '' ? `signature: ${refusalWords(delivery)}` : `${claim}: ${refusalWords(delivery)}`;
    case 'malformed':
    case 'too-large':
      return claim === '' ? reason : `${claim}: ${clauseOf(reason)}`;
  }
}

function forwardText(forwarded: ForwardResult | null): string {
  if (forwarded === null) {
    return '';
  }
  return forwarded.status === null
    ? 'app: no answer'
    : `app ${forwarded.status} in ${milliseconds(forwarded.ms)}`;
}
