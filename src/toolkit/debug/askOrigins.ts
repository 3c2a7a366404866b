import { WorkbenchError } from '../base/errors';
import type { OriginRuns } from './originCrossings';
import type { OriginTree, TreeBounds } from './originTree';
import { askedIn, originTree } from './originTree';
import type { RunView } from './runView';
import { isTransactionQuestion, transactionOrigins } from './transactionOrigins';

/** A function that is shown in the call stack of an execution: where a question is asked. */
export interface AskedFrame {
  /** Index of the execution. */
  thread: number;
  view: RunView;
  /** The step that the function is at. */
  step: number;
  /** The step that the execution is at: registers and globals are those of all functions. By default, the same. */
  now?: number | undefined;
}

/**
 * Follows the values that an expression names back; without one, the operands of what failed. What a transaction itself
 * says has names, too: `tx.body.amount`, `tx.balance`.
 *
 * @param frame undefined if no code ran
 * @throws WorkbenchError `expression-invalid` (input) if nothing is known of any of them
 */
export async function askOrigins(
  runs: OriginRuns,
  frame: AskedFrame | undefined,
  expression: string | undefined,
  signal: AbortSignal,
  bounds?: TreeBounds,
): Promise<{ trees: readonly OriginTree[]; problems: readonly string[] }> {
  const asked = frame && askedIn(frame.view, frame.thread, frame.step, expression, frame.now);
  const isKnown = asked !== undefined && asked.values.length > 0;
  if (!isKnown && frame !== undefined && expression !== undefined && isTransactionQuestion(expression)) {
    const { thread, view } = frame;
    const tree = await transactionOrigins(runs, { thread, run: view.run, view }, expression, signal, bounds);
    return { trees: [tree], problems: [] };
  }
  if (!isKnown) {
    throw new WorkbenchError({
      code: 'expression-invalid',
      kind: 'input',
      message: asked?.problems.join(' ') ?? 'No code ran here, so there is no value to ask about.',
      hint: 'Ask about a name that is known at the step: a variable, a field of c4, a slot of the stack, such as s0, or a figure of the transaction, such as tx.balance.',
    });
  }
  const trees: OriginTree[] = [];
  for (const value of asked.values) {
    trees.push(await originTree(runs, value, signal, bounds));
  }
  return { trees, problems: asked.problems };
}
