import { milliseconds, shortenMiddle, visibleText } from '../../text';
import { assetName } from '../values/asset';
import { meets } from '../send/scenarios';
import type { Scenario, ScenarioName } from '../send/scenarios';
import { everyScenario } from '../send/scenariosOf';
import { deliveryPolicyOf } from '../provider/deliveryPolicyOf';
import type { Delivery, ForwardResult } from '../delivery/delivery';
import { clauseOf } from '../delivery/clauseOf';
import { describeOnPurpose } from '../delivery/onPurpose';
import { claimWords, refusalWords } from '../delivery/refusal';
import { clockTime } from '../../clockTime';

/** The texts of a delivery's row; lists arrange the parts. */
export interface DeliveryParts {
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
