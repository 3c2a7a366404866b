import { v3Trace, v3TraceList } from '../api/v3Traces';
import { writeAnswer } from '../api/writeAnswer';
import { WorkbenchError } from '../base/errors';
import { mentionedAccounts } from './traceModel';
import { readTraces, traceFileFormat, traceFileVersion } from './readTraces';
import type { TraceModel } from './traceModel';

/** Stored with the trace itself. */
export interface TraceFileFacts {
  /** Name of the source network. */
  network?: string | undefined;
  /** Milliseconds since the epoch. */
  savedAt: number;
}

/**
 * A trace as the text of a file that {@link openTraces} opens again: the service's complete answer, plus its origin.
 * Tools that read `/traces` answers find one under `answer`.
 */
export function traceFileText(model: TraceModel, facts: TraceFileFacts): string {
  const named = mentionedAccounts(model);
  const ownRows = <Row>(rows: ReadonlyMap<string, Row>): Record<string, Row> =>
    Object.fromEntries([...rows].filter(([account]) => named.has(account)));
  return stringifyDeep({
    format: traceFileFormat,
    version: traceFileVersion,
    savedAt: new Date(facts.savedAt).toISOString(),
    ...(facts.network === undefined ? {} : { network: facts.network }),
    answer: writeAnswer(v3TraceList, {
      traces: [model.source],
      address_book: ownRows(model.addressBook),
      metadata: ownRows(model.metadata),
    }),
  });
}

/** Only the trace, as JSON in the service's format. */
export function traceJson({ source }: TraceModel): string {
  return stringifyDeep(writeAnswer(v3Trace, source));
}

/**
 * The traces in a file's text: a saved trace, or any answer with traces.
 *
 * @throws WorkbenchError `trace-unreadable`, `format-newer` (input)
 */
export function openTraces(text: string): TraceModel[] {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new WorkbenchError({
      code: 'trace-unreadable',
      kind: 'input',
      message: `This is not a trace: it is not JSON (${error instanceof Error ? error.message : String(error)}).`,
      hint: 'Give an answer of /api/v3/traces, or a file saved with "TON: Save Trace".',
      cause: error,
    });
  }
  const traces = readTraces(value).filter(({ id, nodes }) => id !== undefined || nodes.length > 0);
  if (traces.length === 0) {
    throw new WorkbenchError({
      code: 'trace-unreadable',
      kind: 'input',
      message: 'This is not a trace: it has neither a transaction nor a trace id.',
      hint: 'Give an answer of /api/v3/traces, or a file saved with "TON: Save Trace".',
    });
  }
  return traces;
}

/** JSON with two-space indent. JSON.stringify is recursive and fails on a deep trace; this does not. */
function stringifyDeep(root: unknown): string {
  const parts: string[] = [];
  const stack: (string | { value: unknown; depth: number })[] = [{ value: root, depth: 0 }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (typeof item === 'string') {
      parts.push(item);
      continue;
    }
    const { value, depth } = item;
    if (typeof value !== 'object' || value === null) {
      parts.push(JSON.stringify(value) ?? 'null');
      continue;
    }
    const isArray = Array.isArray(value);
    const entries = Object.entries(value as Record<string, unknown>).filter(([, v]) => v !== undefined);
    if (entries.length === 0) {
      parts.push(isArray ? '[]' : '{}');
      continue;
    }
    // Deep levels are not indented: a chain of 10,000 would be mostly spaces.
    const inner = depth < 40 ? `\n${'  '.repeat(depth + 1)}` : '';
    const outer = depth < 40 ? `\n${'  '.repeat(depth)}` : '';
    stack.push(outer + (isArray ? ']' : '}'));
    for (let i = entries.length - 1; i >= 0; i--) {
      const [key, child] = entries[i] as [string, unknown];
      stack.push({ value: child, depth: depth + 1 });
      stack.push(`${i === 0 ? '' : ','}${inner}${isArray ? '' : `${JSON.stringify(key)}: `}`);
    }
    parts.push(isArray ? '[' : '{');
  }
  parts.push('\n');
  return parts.join('');
}
