import { buildTrace } from '../trace/buildTrace';
import type { TraceModel, TraceNode } from '../trace/traceModel';
import type { V3Trace } from '../trace/v3Trace';

/** How what happened differs from what was foretold. */
export interface OutcomeComparison {
  /** `equal`: every transaction hash. `same`: accounts, codes and results alike. `different`: see `differences`. */
  verdict: 'equal' | 'same' | 'different';
  /** One sentence each. */
  differences: readonly string[];
}

/** Holds the trace that happened against the trace of the rehearsal. */
export function compareOutcome(foretold: V3Trace, happened: TraceModel): OutcomeComparison {
  const expected = buildTrace(foretold);
  const hashes = (model: TraceModel): string => model.nodes.map(({ hash }) => hash).join();
  if (hashes(expected) === hashes(happened)) {
    return { verdict: 'equal', differences: [] };
  }
  const differences: string[] = [];
  if (expected.nodes.length !== happened.nodes.length) {
    const { length } = happened.nodes;
    const found = length === 1 ? '1 transaction' : `${length} transactions`;
    differences.push(`${found} instead of ${expected.nodes.length}.`);
  }
  const count = Math.min(expected.nodes.length, happened.nodes.length);
  for (let i = 0; i < count; i++) {
    differences.push(...nodeDifferences(i, expected.nodes[i]!, happened.nodes[i]!));
  }
  return { verdict: differences.length === 0 ? 'same' : 'different', differences };
}

function nodeDifferences(index: number, expected: TraceNode, happened: TraceNode): string[] {
  return facts(expected).flatMap(([name, wanted], i) => {
    const found = facts(happened)[i]![1];
    return wanted === found ? [] : [`Transaction ${index + 1}: ${name} ${found} instead of ${wanted}.`];
  });
}

function facts({ account, outcome, transaction }: TraceNode): [name: string, value: string][] {
  const description = transaction?.description;
  return [
    ['account', account ?? 'none'],
    ['outcome', outcome],
    ['exit code', String(description?.compute_ph?.exit_code ?? 'none')],
    ['action result', String(description?.action?.result_code ?? 'none')],
    ['bounce', description?.bounce?.type ?? 'none'],
  ];
}
