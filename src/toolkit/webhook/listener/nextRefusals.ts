import { describeMisbehavior, describeOnPurpose } from '../delivery/onPurpose';
import type { OnPurpose, RefuseNext } from '../delivery/onPurpose';
import type { ReceiveOutcome } from './receive';

/** The next deliveries that a listener refuses or delays on purpose. */
export class NextRefusals {
  #next: RefuseNext | undefined;
  #done = 0;

  /** Undefined: none. */
  set(next: RefuseNext | undefined): void {
    this.#next = next;
    this.#done = 0;
  }

  /**
   * The outcome, or what becomes of it on purpose. Only deliveries with a valid signature count: others are refused
   * anyway.
   */
  apply(outcome: ReceiveOutcome): ReceiveOutcome {
    if (this.#next === undefined || outcome.signature?.ok !== true) {
      return outcome;
    }
    const { behavior, count } = this.#next;
    this.#done += 1;
    const onPurpose: OnPurpose = { ...behavior, number: this.#done, of: count };
    if (this.#done >= count) {
      this.#next = undefined;
    }
    if (behavior.how === 'delay') {
      return { ...outcome, onPurpose };
    }
    return {
      ...outcome,
      status: behavior.how === 'status' ? behavior.status : 0,
      verdict: 'on-purpose',
      reason: `${describeOnPurpose(onPurpose)}: ${describeMisbehavior(behavior)}`,
      // As if it had failed before it looked at the payment.
      orderState: null,
      onPurpose,
    };
  }
}
