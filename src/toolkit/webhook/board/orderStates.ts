import { groupBy } from '../../base/collections';
import { milliseconds, visibleText } from '../../base/text';
import type { Delivery } from '../delivery/delivery';
import { clauseOf, isRefused, refusalWords } from '../delivery/delivery';
import { describeOnPurpose } from '../delivery/onPurpose';
import type { OrderStatus } from '../orders/orderBook';
import type { DeliveryPolicy } from '../provider/webhookProvider';
import { deliveryPolicyOf } from '../provider/providerOf';
import { isHttpSuccess } from '../values/isHttpSuccess';
import type { ChainSighting } from './chainSighting';

/** The states that a payment goes through. */
export type BoardStep = 'open' | 'delivered' | 'on chain' | 'application' | 'paid';

/** One state of an order. */
export interface BoardState {
  step: BoardStep;
  /** `unseen`: nothing is known, neither good nor bad. */
  standing: 'seen' | 'waiting' | 'refused' | 'unseen';
  /** ISO 8601; null if it is not known. */
  time: string | null;
  /** What is known, in a few words. */
  text: string;
  /** The delivery that shows it. */
  deliveryId: string | null;
}

/** How far the payment of an order has come. */
export interface OrderProgress {
  /** Open, delivered, on chain, application, paid: in this order. */
  states: readonly BoardState[];
  /** Where it stands in a few words. */
  summary: string;
  /** Of the whole row. */
  standing: 'open' | 'waiting' | 'paid' | 'refused';
  /** Time of the latest news, ISO 8601; null without any. */
  time: string | null;
}

interface Facts {
  order: OrderStatus;
  /** Newest first. */
  deliveries: readonly Delivery[];
  chain: ReadonlyMap<string, ChainSighting>;
  forwards: boolean;
  attempts: ReadonlyMap<string, AttemptNumber>;
}

/** The states of an order. Says only what was seen. */
export function orderStates(facts: Facts): OrderProgress {
  const relevant = facts.deliveries.filter(saysSomething);
  const delivered = deliveredState(facts, relevant);
  const chain = chainState(facts, relevant);
  const application = applicationState(facts, relevant);
  const paid = paidState(facts, relevant, { chain, application });
  const states = [openState(facts.order), delivered, chain, application, paid];
  const time = facts.deliveries[0]?.receivedAt ?? paid.time;
  return { states, time, ...summarize(facts, relevant, { delivered, chain, application, paid }) };
}

/** A test that should not pay, and does not, says nothing about the order. */
function saysSomething({ test, verdict }: Delivery): boolean {
  return test === undefined || ['accepted', 'repeat', 'on-purpose'].includes(verdict);
}

function openState({ asset, isCreated, createdAt }: OrderStatus): BoardState {
  const listed = isCreated === true ? 'created by the payment API' : 'in the orders file';
  const text = asset === undefined ? 'known from its delivery' : listed;
  return { step: 'open', standing: 'seen', time: createdAt ?? null, text, deliveryId: null };
}

function deliveredState({ order, attempts }: Facts, deliveries: readonly Delivery[]): BoardState {
  const base = { step: 'delivered', time: null, deliveryId: null } as const;
  const first = deliveries.findLast(({ status }) => isHttpSuccess(status));
  if (first !== undefined) {
    const number = attempts.get(first.id);
    const text = [
      `${first.status} in ${milliseconds(first.elapsedMs)}`,
      ...(number === undefined || number.attempt === 1 ? [] : [`attempt ${number.attempt} of ${number.of}`]),
    ].join(', ');
    return { ...base, standing: 'seen', time: first.receivedAt, text, deliveryId: first.id };
  }
  if (order.deliveryId !== null) {
    const text = 'its delivery is older than those shown';
    return { ...base, standing: 'seen', text, deliveryId: order.deliveryId };
  }
  const [last] = deliveries;
  if (last === undefined) {
    return { ...base, standing: 'unseen', text: 'not yet' };
  }
  const number = attempts.get(last.id);
  const which = number === undefined ? '' : `attempt ${number.attempt} of ${number.of}: `;
  const said = last.onPurpose === undefined ? answerOf(last) : describeOnPurpose(last.onPurpose);
  const text = `${which}${said}`;
  return { ...base, standing: 'refused', time: last.receivedAt, text, deliveryId: last.id };
}

function chainState({ order, chain }: Facts, deliveries: readonly Delivery[]): BoardState {
  const payment = deliveries.find(({ payment }) => payment !== null)?.id ?? order.deliveryId;
  const base = { step: 'on chain', time: null, deliveryId: payment } as const;
  const checked = deliveries.find(({ id }) => chain.has(id))?.id ?? payment;
  const sighting = checked === null ? undefined : chain.get(checked);
  if (sighting === undefined) {
    return {
      ...base,
      standing: 'unseen',
      text: payment === null ? 'nothing to look for yet' : 'not checked',
    };
  }
  const { network, result, time } = sighting;
  const name = visibleText(network, 60);
  switch (result) {
    case 'same':
      return { ...base, standing: 'seen', time, text: `as reported, on ${name}`, deliveryId: checked };
    case 'differs':
      return { ...base, standing: 'refused', time, text: `differs from ${name}`, deliveryId: checked };
    case 'absent':
      return { ...base, standing: 'unseen', text: `not found on ${name}`, deliveryId: checked };
    case 'undone':
      return { ...base, standing: 'refused', time, text: `undone on ${name}`, deliveryId: checked };
  }
}

function applicationState({ forwards }: Facts, deliveries: readonly Delivery[]): BoardState {
  const base = { step: 'application', time: null, deliveryId: null } as const;
  // What the application does with a forged delivery says nothing about the payment.
  const asked = deliveries.find(
    ({ forwarding, forwarded, signature }) => signature?.ok === true && (forwarding || forwarded !== null),
  );
  if (asked === undefined) {
    const text = forwards ? 'nothing was forwarded yet' : 'nothing is forwarded to it';
    return { ...base, standing: 'unseen', text };
  }
  if (asked.forwarded === null) {
    return { ...base, standing: 'waiting', text: 'waiting for its answer', deliveryId: asked.id };
  }
  const { status, ms, error, at } = asked.forwarded;
  const seen = { ...base, time: at ?? null, deliveryId: asked.id };
  return status === null
    ? { ...seen, standing: 'refused', text: visibleText(error ?? 'no answer', 200) }
    : {
        ...seen,
        standing: deliveryPolicyOf(asked).isDelivered(status) ? 'seen' : 'refused',
        text: `answered ${status} in ${milliseconds(ms)}`,
      };
}

interface Known {
  delivered: BoardState;
  chain: BoardState;
  application: BoardState;
  paid: BoardState;
}

/** A valid payment is paid only if neither the chain nor the application says otherwise. */
function paidState(
  facts: Facts,
  deliveries: readonly Delivery[],
  { chain, application }: Pick<Known, 'chain' | 'application'>,
): BoardState {
  const { order } = facts;
  const valid = validPayment(order, deliveries);
  const base = { step: 'paid', time: null, deliveryId: order.deliveryId, ...valid } as const;
  if (order.trouble?.isPaid === false) {
    return { ...base, standing: 'refused', text: order.trouble.text };
  }
  if (order.state === 'failed') {
    return { ...base, standing: 'refused', text: 'the transfer failed' };
  }
  if (valid !== undefined) {
    if (chain.standing === 'refused') {
      return { ...base, standing: 'refused', text: `the delivery is valid, but the payment ${chain.text}` };
    }
    switch (application.standing) {
      case 'refused':
        return { ...base, standing: 'refused', text: `${validWords}, but your application did not take it` };
      case 'waiting':
        return { ...base, standing: 'waiting', text: `${validWords}; your application has not answered yet` };
      default:
        return { ...base, standing: 'seen', text: order.trouble?.text ?? 'all rules are met' };
    }
  }
  const refused = deliveries.find(({ verdict }) => verdict === 'mismatch' || verdict === 'unknown-status');
  return refused === undefined
    ? { ...base, standing: 'unseen', text: 'not yet' }
    : {
        ...base,
        standing: 'refused',
        time: refused.receivedAt,
        text: visibleText(refused.reason ?? refused.verdict, 200),
        deliveryId: refused.id,
      };
}

const validWords = 'the payment is valid';

/** The delivery of a payment that meets all rules; an order that stays open, as a user's deposits at Bicycle, has many. */
function validPayment(
  order: OrderStatus,
  deliveries: readonly Delivery[],
): Pick<BoardState, 'time' | 'deliveryId'> | undefined {
  if (order.state === 'failed') {
    return undefined;
  }
  if (order.state === 'paid') {
    const cause = deliveries.find(({ id }) => id === order.deliveryId);
    return { time: cause?.receivedAt ?? null, deliveryId: order.deliveryId };
  }
  const newest = deliveries.find(
    ({ verdict, orderReference }) => verdict === 'accepted' && orderReference !== undefined,
  );
  return newest && { time: newest.receivedAt, deliveryId: newest.id };
}

/** In a few words what the states say, the worst first. */
function summarize(
  { order }: Facts,
  relevant: readonly Delivery[],
  { delivered, chain, application, paid }: Known,
): Pick<OrderProgress, 'summary' | 'standing'> {
  const isValid = validPayment(order, relevant) !== undefined;
  if (order.trouble?.isPaid === false) {
    return { summary: `not paid: ${order.trouble.text}`, standing: 'refused' };
  }
  if (order.state === 'failed') {
    return { summary: 'transfer failed', standing: 'refused' };
  }
  if (!isValid && paid.standing === 'refused') {
    return { summary: `not paid: ${clauseOf(paid.text)}`, standing: 'refused' };
  }
  if (chain.standing === 'refused') {
    return { summary: `payment ${chain.text}`, standing: 'refused' };
  }
  const state = isValid ? 'valid payment' : 'open';
  if (application.standing === 'refused') {
    // Why there was no answer is said with the state.
    const said = application.text.startsWith('answered ') ? application.text : 'gave no answer';
    return { summary: `${state}, but your application ${said}`, standing: 'refused' };
  }
  if (!isValid && delivered.standing === 'refused') {
    // Why comes first: a narrow sidebar has room for little more.
    const last = relevant.find(({ id }) => id === delivered.deliveryId);
    const isWhy = last !== undefined && isRefused(last) && last.onPurpose === undefined;
    return { summary: `${isWhy ? '' : 'open, '}${delivered.text}`, standing: 'waiting' };
  }
  if (application.standing === 'waiting') {
    return { summary: `${state}, waiting for your application`, standing: 'waiting' };
  }
  if (order.trouble !== undefined) {
    return { summary: `paid, but ${order.trouble.text}`, standing: 'waiting' };
  }
  if (!isValid) {
    return { summary: 'open', standing: 'open' };
  }
  return { summary: order.state === 'paid' ? 'paid' : 'paid, open for more', standing: 'paid' };
}

function answerOf(delivery: Delivery): string {
  const { status, reason } = delivery;
  const said = status === 0 ? 'not answered' : `answered ${status}`;
  if (isRefused(delivery)) {
    return `${refusalWords(delivery)}, ${said}`;
  }
  return reason === null ? said : `${said}, ${clauseOf(visibleText(reason, 200))}`;
}

/** Which attempt of one delivery a request was. */
export interface AttemptNumber {
  /** From 1. */
  attempt: number;
  /** The most that the service makes. */
  of: number;
  /** Id of the first attempt. */
  series: string;
}

/** Milliseconds by which a retry may come later than its wait and the receiver's answer. */
const lateMs = 2_000;

/** The share of a wait, and the milliseconds, by which a repeat of something answered with 2xx may differ from it. */
const tightShare = 0.1;
const tightMs = 300;

/**
 * Recognizes the attempts of one delivery: the same bytes again, after about its service's wait. The sender does not
 * number them, so this is a conclusion. What came only once is not in the result.
 */
export function attemptNumbers(deliveries: readonly Delivery[]): ReadonlyMap<string, AttemptNumber> {
  const numbers = new Map<string, AttemptNumber>();
  for (const group of sameBytes(deliveries).values()) {
    let series: Delivery[] = [];
    const policy = deliveryPolicyOf(group[0]!);
    const of = policy.retryDelaysMs.length + 1;
    for (const delivery of group) {
      const last = series.at(-1);
      series =
        last !== undefined && follows(last, delivery, series.length, policy)
          ? [...series, delivery]
          : [delivery];
      if (series.length > 1) {
        series.forEach(({ id }, index) => numbers.set(id, { attempt: index + 1, of, series: series[0]!.id }));
      }
    }
  }
  return numbers;
}

/** Oldest first. */
function sameBytes(deliveries: readonly Delivery[]): Map<string, Delivery[]> {
  const byTime = deliveries.toSorted(
    (one, other) => one.receivedAt.localeCompare(other.receivedAt) || one.id.localeCompare(other.id),
  );
  // Deliveries kept by an older version have no hash; a body that was not read has none to compare.
  const comparable = byTime.filter(({ bodyHash, bodyBytes }) => bodyHash !== undefined && bodyBytes > 0);
  return groupBy(comparable, ({ bodyHash = '' }) => bodyHash);
}

/** @param made attempts so far */
function follows(last: Delivery, next: Delivery, made: number, policy: DeliveryPolicy): boolean {
  const delay = policy.retryDelaysMs[made - 1];
  if (delay === undefined || last.test?.run !== next.test?.run) {
    return false;
  }
  const gap = Date.parse(next.receivedAt) - Date.parse(last.receivedAt);
  if (last.test !== undefined && !policy.isDelivered(last.status)) {
    // A test may shorten its waits, but is one series.
    return gap <= delay + policy.timeoutMs + lateMs;
  }
  if (policy.isDelivered(last.status) && last.onPurpose === undefined) {
    // Its answer may have been lost on the way; anything less exact would be somebody sending it again.
    return Math.abs(gap - delay) <= Math.max(tightMs, delay * tightShare);
  }
  return gap >= delay * (1 - tightShare) && gap <= delay + policy.timeoutMs + lateMs;
}
