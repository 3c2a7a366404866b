import { abortedError } from '../base/errors';
import { limits } from '../base/limits';
import type { Clock } from '../base/time';
import { nextTurn } from '../base/turns';
import type { AccountState, Delivered } from './deliverMessage';
import type { MessageDelivery } from './deliverMessage';
import type { MessageUnderWay } from './messageUnderWay';
import { orderError } from './printOrder';
import type { NumberedMessage, WorldState } from './worldState';
import { deliverable, firstState, stateAfter, stateKey } from './worldState';

/** One delivery of an order. */
export interface OrderStep extends Delivered {
  /** The number of the message in this order, from 1. */
  number: number;
  message: MessageUnderWay;
  /** The numbers of the messages that it sent, in the order of `sent`. */
  sentNumbers: readonly number[];
}

/** Something wrong, and the order that leads to it. */
export interface OrderFinding<Fault> {
  fault: Fault | LostCoins;
  order: readonly OrderStep[];
}

/** Coins that do not add up in the last delivery of the order; nanocoins, negative if there are too many. */
export interface LostCoins {
  kind: 'coins';
  missing: bigint;
}

/** What is looked for, beside coins that do not add up. */
export interface OrderJudge<Fault> {
  /** What is wrong with the last delivery. */
  delivery: (order: readonly OrderStep[]) => Promise<Fault | undefined>;
  /** What is wrong once everything is delivered; asked once for each state that orders end in. */
  end: (state: WorldState, order: readonly OrderStep[]) => Promise<Fault | undefined>;
}

/** What to explore. */
export interface OrdersToExplore<Fault> {
  delivery: MessageDelivery;
  /** The first message of each flow, in the order of sending. */
  messages: readonly MessageUnderWay[];
  /** The account before the first delivery. */
  account: (address: string) => AccountState;
  judge: OrderJudge<Fault>;
}

/** How far to go. */
export interface OrderBounds {
  /** Maximum orders that are run, to their end or to a state that is known. */
  orders: number;
  seconds: number;
  clock: Pick<Clock, 'monotonic'>;
  signal?: AbortSignal | undefined;
  /** Called after each order that was run. */
  onOrder?: ((order: readonly OrderStep[]) => void) | undefined;
}

/** What was seen. */
export interface Exploration<Fault> {
  finding: OrderFinding<Fault> | undefined;
  /** Orders that were run, to their end or to a state that was known. */
  orders: number;
  /** All whole orders that these stand for, known states included. */
  covered: bigint;
  states: number;
  /** Different final states. */
  ends: number;
  /** Of the whole space, 0 to 1: at each state, every next delivery counts the same. */
  share: number;
  /** Orders that were cut because they were too long. */
  cut: number;
  /** Why it did not see everything; undefined if it did, or has a finding. */
  stoppedBy: 'orders' | 'seconds' | undefined;
}

/**
 * Delivers the messages in every order that the chain permits: messages from one account to another arrive as they were
 * sent, everything else in any order. States with the same contents are continued once. Ends at the first fault.
 *
 * @throws WorkbenchError `aborted`, `emulator-failed`, and the judge's errors
 */
export async function exploreOrders<Fault>(
  given: OrdersToExplore<Fault>,
  bounds: OrderBounds,
): Promise<Exploration<Fault>> {
  return new Explorer(given, bounds).explore();
}

/**
 * Delivers the messages in one order; once it is at its end, the oldest deliverable message is always next.
 *
 * @param order numbers of messages, as {@link OrderStep}
 * @throws WorkbenchError `order-invalid` (input) if the chain does not permit it; `emulator-failed`, the judge's errors
 */
export async function followOrder<Fault>(
  given: OrdersToExplore<Fault>,
  order: readonly number[],
): Promise<{ finding: OrderFinding<Fault> | undefined; order: readonly OrderStep[] }> {
  const steps: OrderStep[] = [];
  let state = firstState(given.messages);
  while (state.underWay.length > 0 && steps.length < limits.exploredDeliveries.most) {
    const wanted = order[steps.length];
    const [oldest, ...others] = deliverable(state);
    const next = [oldest, ...others].find((one) => wanted === undefined || one?.number === wanted);
    if (next === undefined) {
      throw orderError(`Message ${wanted} cannot be delivered at place ${steps.length + 1} of this order.`);
    }
    const { step, after } = await deliverNext(given, state, next);
    steps.push(step);
    state = after;
    const fault = await faultOf(given.judge, steps);
    if (fault !== undefined) {
      return { finding: { fault, order: steps }, order: steps };
    }
  }
  if (order.length > steps.length) {
    throw orderError(
      `This order has ${order.length} deliveries, but everything was delivered after ${steps.length}.`,
    );
  }
  const fault = state.underWay.length > 0 ? undefined : await given.judge.end(state, steps);
  return { finding: fault === undefined ? undefined : { fault, order: steps }, order: steps };
}

/** Milliseconds of work before others have a turn. */
const turn = 8;

/** What is known about all that can follow a state. */
interface Continuations {
  covered: bigint;
  share: number;
}

class Explorer<Fault> {
  readonly #known = new Map<string, Continuations>();
  readonly #path: OrderStep[] = [];
  readonly #until: number;
  #turnBegan: number;
  #finding: OrderFinding<Fault> | undefined;
  #stoppedBy: Exploration<Fault>['stoppedBy'];
  #orders = 0;
  #states = 0;
  #ends = 0;
  #cut = 0;

  constructor(
    private readonly given: OrdersToExplore<Fault>,
    private readonly bounds: OrderBounds,
  ) {
    this.#turnBegan = bounds.clock.monotonic();
    this.#until = this.#turnBegan + bounds.seconds * 1000;
  }

  async explore(): Promise<Exploration<Fault>> {
    const { covered, share } = await this.#continue(firstState(this.given.messages));
    return {
      ...{ finding: this.#finding, orders: this.#orders, covered, share },
      ...{ states: this.#states, ends: this.#ends, cut: this.#cut, stoppedBy: this.#stoppedBy },
    };
  }

  get #isOver(): boolean {
    return this.#finding !== undefined || this.#stoppedBy !== undefined;
  }

  /** Everything that can follow the state, which the path has led to. */
  async #continue(state: WorldState): Promise<Continuations> {
    const key = stateKey(state);
    const known = this.#known.get(key);
    if (known !== undefined) {
      this.#endOrder();
      return known;
    }
    this.#states += 1;
    const seen = await this.#seen(state);
    if (!this.#isOver && this.#known.size < limits.exploredStates.most) {
      this.#known.set(key, seen);
    }
    return seen;
  }

  async #seen(state: WorldState): Promise<Continuations> {
    const next = deliverable(state);
    if (next.length === 0) {
      return this.#end(state);
    }
    if (this.#path.length >= limits.exploredDeliveries.most) {
      this.#cut += 1;
      this.#endOrder();
      return { covered: 0n, share: 0 };
    }
    const seen = { covered: 0n, share: 0 };
    for (const message of next) {
      await this.#checkBounds();
      if (this.#isOver) {
        break;
      }
      const { covered, share } = await this.#deliver(state, message);
      seen.covered += covered;
      seen.share += share / next.length;
    }
    return seen;
  }

  async #deliver(state: WorldState, message: NumberedMessage): Promise<Continuations> {
    const { step, after } = await deliverNext(this.given, state, message);
    this.#path.push(step);
    const fault = await faultOf(this.given.judge, this.#path);
    if (fault !== undefined) {
      this.#found(fault);
    }
    const seen = fault === undefined ? await this.#continue(after) : { covered: 0n, share: 0 };
    this.#path.pop();
    return seen;
  }

  async #end(state: WorldState): Promise<Continuations> {
    this.#ends += 1;
    const fault = await this.given.judge.end(state, this.#path);
    if (fault !== undefined) {
      this.#found(fault);
      return { covered: 0n, share: 0 };
    }
    this.#endOrder();
    return { covered: 1n, share: 1 };
  }

  #found(fault: Fault | LostCoins): void {
    this.#finding = { fault, order: [...this.#path] };
    this.#endOrder();
  }

  #endOrder(): void {
    this.#orders += 1;
    this.bounds.onOrder?.(this.#path);
  }

  async #checkBounds(): Promise<void> {
    const { orders, clock, signal } = this.bounds;
    if (clock.monotonic() - this.#turnBegan > turn) {
      await nextTurn();
      this.#turnBegan = clock.monotonic();
    }
    if (signal?.aborted === true) {
      throw abortedError(signal.reason);
    }
    if (this.#orders >= orders) {
      this.#stoppedBy ??= 'orders';
    } else if (clock.monotonic() >= this.#until) {
      this.#stoppedBy ??= 'seconds';
    }
  }
}

async function deliverNext<Fault>(
  { delivery, account }: OrdersToExplore<Fault>,
  state: WorldState,
  next: NumberedMessage,
): Promise<{ step: OrderStep; after: WorldState }> {
  const { message, number } = next;
  const done = await delivery.deliver(
    message,
    state.accounts.get(message.destination) ?? account(message.destination),
  );
  const sentNumbers = done.sent.map((_, index) => state.sent + index + 1);
  return { step: { ...done, number, message, sentNumbers }, after: stateAfter(state, next, done) };
}

async function faultOf<Fault>(
  judge: OrderJudge<Fault>,
  order: readonly OrderStep[],
): Promise<Fault | LostCoins | undefined> {
  const missing = order.at(-1)?.missingCoins ?? 0n;
  return missing === 0n ? judge.delivery(order) : { kind: 'coins', missing };
}
