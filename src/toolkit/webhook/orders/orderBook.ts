import type { PaymentSummary } from '../delivery/delivery';
import type { Order } from './parseOrders';
import { limits } from '../../base/limits';

/** The state of a reference. Derived only from the journal. */
export interface OrderState {
  reference: string;
  state: 'paid' | 'failed';
  txHash: string;
  traceId: string;
  /** Time of the transfer, ISO 8601; empty if the delivery told of none, but must not be processed twice. */
  time: string;
  /** The delivery that caused it. */
  deliveryId: string;
}

/** The state caused by a delivery. */
export function orderStateOf(
  state: OrderState['state'],
  reference: string,
  payment: PaymentSummary | null,
  deliveryId: string,
): OrderState {
  const { txHash = '', traceId = '', date: time = '' } = payment ?? {};
  return { reference, state, txHash, traceId, time, deliveryId };
}

/** An order of the file with its state; without an orders file, a reference alone. */
export interface OrderStatus extends Partial<Omit<Order, 'reference'>> {
  reference: string;
  state: 'open' | 'paid' | 'failed';
  txHash: string | null;
  traceId: string | null;
  time: string | null;
  deliveryId: string | null;
}

/** What rules can query about a reference. */
export interface OrderLookup {
  /** False without an orders file: then every reference is accepted. */
  readonly hasOrders: boolean;
  order(reference: string): Order | undefined;
  state(reference: string): 'paid' | 'failed' | undefined;
}

/** Maximum references remembered for recognizing repeats; the oldest are dropped first. */
export const maximumStates = limits.webhookStates.most;
const evictedAtOnce = 20_000;

/**
 * Orders and their states. A delivery being written reserves its reference, so that a second one arriving meanwhile
 * counts as a repeat; it becomes the state only once the journal has it.
 */
export class OrderBook implements OrderLookup {
  #orders: Map<string, Order> | undefined;
  readonly #states = new Map<string, OrderState>();
  readonly #reserved = new Map<string, OrderState[]>();

  get hasOrders(): boolean {
    return this.#orders !== undefined;
  }

  /** Undefined: no orders file, every reference is accepted. */
  setOrders(orders: readonly Order[] | undefined): void {
    this.#orders = orders && new Map(orders.map((order) => [order.reference, order]));
  }

  order(reference: string): Order | undefined {
    return this.#orders?.get(reference);
  }

  state(reference: string): 'paid' | 'failed' | undefined {
    return (this.#reserved.get(reference)?.at(-1) ?? this.#states.get(reference))?.state;
  }

  /** Reserves a reference for a delivery about to be written. */
  reserve(state: OrderState): void {
    const held = this.#reserved.get(state.reference);
    if (held === undefined) {
      this.#reserved.set(state.reference, [state]);
    } else {
      held.push(state);
    }
  }

  /** Releases the reservation of {@link reserve}: `written` says whether the journal has it. */
  settle(state: OrderState, written: boolean): void {
    const held = this.#reserved.get(state.reference) ?? [];
    if (held.length <= 1) {
      this.#reserved.delete(state.reference);
    } else {
      held.splice(held.indexOf(state), 1);
    }
    if (written) {
      this.apply(state);
    }
  }

  /** Applies a state from the journal. Paid stays paid. */
  apply(state: OrderState): void {
    if (this.#states.get(state.reference)?.state === 'paid') {
      return;
    }
    this.#states.set(state.reference, state);
    if (this.#states.size > maximumStates + evictedAtOnce) {
      this.#evict();
    }
  }

  /** Many at once: finding the oldest key of a map that loses them one by one gets slower each time. */
  #evict(): void {
    for (const reference of this.#states.keys()) {
      if (this.#states.size <= maximumStates) {
        return;
      }
      this.#states.delete(reference);
    }
  }

  /** The journal's state of a reference. */
  stateOf(reference: string): OrderState | undefined {
    return this.#states.get(reference);
  }

  /** Forgets all states: all orders are open again. */
  clear(): void {
    this.#states.clear();
  }

  /** Every order of the file with its state; without a file, every reference with a state. */
  list(): OrderStatus[] {
    const orders = this.#orders
      ? [...this.#orders.values()]
      : [...this.#states.values()].flatMap(({ reference, time }) => (time === '' ? [] : [{ reference }]));
    return orders.map((order) => {
      const state = this.#states.get(order.reference);
      return {
        ...order,
        state: state?.state ?? 'open',
        txHash: state?.txHash ?? null,
        traceId: state?.traceId ?? null,
        time: state?.time ?? null,
        deliveryId: state?.deliveryId ?? null,
      };
    });
  }
}
