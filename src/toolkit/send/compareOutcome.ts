import { counted } from '../trace/figures';
import type { TraceModel, TraceNode } from '../trace/traceModel';

/** How the outcome differs from the prediction. */
export interface OutcomeComparison {
  /**
   * `equal`: every transaction hash matches. `same`: accounts, codes, and results match. `different`: see
   * `differences`. `unknown`: nothing differs, but the service does not report all results; `differences` lists the
   * missing ones.
   */
  verdict: 'equal' | 'same' | 'different' | 'unknown';
  /** One sentence each, up to a maximum; the last one then counts the rest. */
  differences: readonly string[];
}

const mostDifferences = 20;

/**
 * Compares the executed trace with the rehearsal. Parts that were not rehearsed (it ended early, or the emulator
 * failed) are not compared.
 */
export function compareOutcome(
  rehearsal: { complete: boolean; trace: TraceModel },
  happened: TraceModel,
): OutcomeComparison {
  const { trace: expected } = rehearsal;
  const pairs = paired(expected, happened);
  const isWhole = rehearsal.complete && expected.nodes.length === happened.nodes.length;
  const isEqual = pairs.every(([predicted, found]) => predicted.hash === found?.hash);
  if (isEqual && (isWhole || !rehearsal.complete)) {
    return { verdict: 'equal', differences: [] };
  }
  const differences = isWhole || !rehearsal.complete ? [] : [countDifference(expected, happened)];
  pairs.forEach(([predicted, found], index) => differences.push(...nodeDifferences(index, predicted, found)));
  if (differences.length > 0) {
    return { verdict: 'different', differences: bounded(differences) };
  }
  const open = pairs.flatMap(([, found], index) =>
    found !== undefined && facts(found).some(([, value]) => value === untold)
      ? [`Transaction ${index + 1}: the service does not say how it ended.`]
      : [],
  );
  return { verdict: open.length === 0 ? 'same' : 'unknown', differences: bounded(open) };
}

function countDifference({ nodes: predicted }: TraceModel, { nodes: found }: TraceModel): string {
  return `${counted(found.length, 'transaction')} instead of ${predicted.length}.`;
}

/** Rehearsed transactions, depth first, each with its counterpart at the same position in the tree. */
function paired(expected: TraceModel, happened: TraceModel): [TraceNode, TraceNode | undefined][] {
  const pairs: [TraceNode, TraceNode | undefined][] = [];
  const stack: [TraceNode, TraceNode | undefined][] = [];
  const push = (ours: readonly TraceNode[], theirs: readonly TraceNode[]): void => {
    for (let place = ours.length - 1; place >= 0; place--) {
      stack.push([ours[place]!, theirs[place]]);
    }
  };
  push(expected.roots, happened.roots);
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    const [ours, theirs] = pair;
    if (ours.isCarried) {
      pairs.push(pair);
      push(ours.children, theirs?.children ?? []);
    }
  }
  return pairs;
}

function nodeDifferences(index: number, expected: TraceNode, happened: TraceNode | undefined): string[] {
  if (happened === undefined) {
    return [`Transaction ${index + 1} did not happen.`];
  }
  return facts(expected).flatMap(([name, wanted], i) => {
    const found = facts(happened)[i]![1];
    return found === untold || wanted === found
      ? []
      : [`Transaction ${index + 1}: ${name} ${found} instead of ${wanted}.`];
  });
}

function bounded(differences: readonly string[]): readonly string[] {
  const left = differences.length - mostDifferences;
  return left <= 0
    ? differences
    : [...differences.slice(0, mostDifferences), `And ${counted(left, 'more difference')}.`];
}

/** What the answer omits about an executed transaction. */
const untold = undefined;

function facts({
  account,
  outcome,
  transaction,
  isCarried,
}: TraceNode): [name: string, value: string | undefined][] {
  const { compute_ph: compute, action, bounce } = transaction?.description ?? {};
  const isTold = outcome !== 'unknown' || !isCarried;
  const code = (phase: unknown, value: string | number | null | undefined): string | undefined =>
    isTold && phase == null ? 'none' : (value?.toString() ?? untold);
  return [
    ['account', account ?? 'none'],
    ['outcome', isTold ? outcome : untold],
    ['exit code', compute?.skipped === true ? 'none' : code(compute, compute?.exit_code)],
    ['action result', code(action, action?.result_code)],
    ['bounce', code(bounce, bounce?.type)],
  ];
}
