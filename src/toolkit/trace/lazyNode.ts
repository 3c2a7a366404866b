import type { Draft } from './linkNodes';
import { outcomeOf } from './outcomeOf';
import { soundObject } from './sound';
import { accountKey } from './traceKeys';
import type { Outcome, TraceNode } from './traceModel';
import { messageShape, transactionShape } from './v3Shapes';
import type { V3Message, V3Transaction } from './v3Trace';

/**
 * A node that checks its transaction when somebody looks at it: a tree of ten thousand shows forty, and checking every
 * field of all would cost more than building the model.
 */
export class LazyNode implements TraceNode {
  readonly hash: string | undefined;
  readonly account: string | undefined;
  readonly children: TraceNode[] = [];
  readonly depth: number;
  readonly isCarried: boolean;
  readonly failure: string | undefined;
  #transaction: V3Transaction | undefined;
  #message: V3Message | undefined;
  #outcome: Outcome | undefined;
  #isChecked = false;

  constructor(
    draft: Draft,
    readonly index: number,
    readonly parent: TraceNode | undefined,
  ) {
    this.hash = draft.hash;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.isCarried = draft.transaction !== undefined;
    this.failure = draft.failure;
    this.#transaction = draft.transaction;
    this.#message = draft.message;
    const account: unknown =
      draft.transaction?.account ?? draft.transaction?.in_msg?.destination ?? draft.message?.destination;
    this.account = typeof account === 'string' ? accountKey(account) : undefined;
  }

  get transaction(): V3Transaction | undefined {
    this.#check();
    return this.#transaction;
  }

  get message(): V3Message | undefined {
    this.#check();
    return this.#message;
  }

  get outcome(): Outcome {
    this.#outcome ??= outcomeOf(this.transaction);
    return this.#outcome;
  }

  #check(): void {
    if (this.#isChecked) {
      return;
    }
    this.#isChecked = true;
    this.#transaction = soundObject<V3Transaction>(this.#transaction, transactionShape);
    this.#message = this.#transaction?.in_msg ?? soundObject<V3Message>(this.#message, messageShape);
  }
}
