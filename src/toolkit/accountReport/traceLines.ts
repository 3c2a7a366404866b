import type { TraceContext } from '../trace/traceContext';
import { factsLine, headline, traceSymbol } from '../trace/traceText';

/** An account's traces as lines: what happened, figures, and the id to open the trace by. */
export function traceLines(contexts: readonly TraceContext[]): string[] {
  return contexts.flatMap((context) => [
    `  ${traceSymbol(context.model)} ${headline(context)}`,
    `    ${factsLine(context)}`,
    ...(context.model.id === undefined ? [] : [`    ${context.model.id}`]),
  ]);
}
