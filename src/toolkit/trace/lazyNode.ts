import type { V3Message, V3Transaction } from '../api/v3Objects';
import type { Draft } from './linkNodes';
import { outcomeOf } from './outcomeOf';
import type { Outcome, TraceNode } from './traceModel';

/** A node that evaluates its transaction on first use: of a tree of ten thousand, forty are shown. */
export class LazyNode implements TraceNode {
  readonly hash: string | undefined;
  readonly transaction: V3Transaction | undefined;
  readonly message: V3Message | undefined;
  readonly account: string | undefined;
  readonly children: TraceNode[] = [];
  readonly depth: number;
  readonly failure: string | undefined;
  #outcome: Outcome | undefined;

  constructor(
    draft: Draft,
    readonly index: number,
    readonly parent: TraceNode | undefined,
  ) {
    const { transaction } = draft;
    this.hash = draft.hash;
    this.transaction = transaction;
    this.message = transaction?.in_msg ?? draft.message;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.failure = draft.failure;
    this.account = transaction?.account ?? this.message?.destination ?? undefined;
  }

  get isCarried(): boolean {
    return this.transaction !== undefined;
  }

  get outcome(): Outcome {
    this.#outcome ??= outcomeOf(this.transaction);
    return this.#outcome;
  }
}
