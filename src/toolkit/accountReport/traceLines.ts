import type { TraceContext } from '../trace/traceContext';
import { factsLine, headline, traceSymbol } from '../trace/traceText';

/** Traces of an account as lines: what happened, its figures, and the id that opens it. */
export function traceLines(contexts: readonly TraceContext[]): string[] {
  return contexts.flatMap((context) => [
    `  ${traceSymbol(context.model)} ${headline(context)}`,
    `    ${factsLine(context)}`,
    ...(context.model.id === undefined ? [] : [`    ${context.model.id}`]),
  ]);
}
