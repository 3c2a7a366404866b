import type { ListedLine } from '../../toolkit/trace/liveLines';
import type { LiveTraces } from './liveTraces';
import type { OpenTrace, OpenTraces } from './openTraces';
import type { TraceElement, TraceRowElement } from './traceElementItem';

/** What the list of rows is built from. */
export interface TraceRowSources {
  traces: OpenTraces;
  live: LiveTraces;
  /** Whether the filter lets a row through. */
  isShown: (line: ListedLine) => boolean;
  /** Maximum traces shown. */
  most: number;
}

/** The rows of the list, and the number of traces without the filter. */
export interface TraceRows {
  rows: TraceElement[];
  shown: number;
  all: number;
}

/**
 * All traces, newest first: opened ones are sorted by time among those of the local network, which keep their
 * order. A rehearsal is not listed any more once its message was sent: it then belongs to the row of the
 * resulting trace.
 */
export function traceRows({ traces, live, isShown, most }: TraceRowSources): TraceRows {
  const local = live.local();
  const isListed = new Set(local.map(({ key }) => key));
  const opened = traces.list().map((trace) => live.lineOf(trace));
  const openKeys = new Set(opened.map(({ key }) => key));
  const others = [
    ...opened.filter(({ key }) => !isListed.has(key)),
    ...live.earlier().filter(({ key }) => !openKeys.has(key)),
  ].sort((a, b) => (b.time ?? 0) - (a.time ?? 0));
  const happened = mergeByTime(
    local,
    others.filter((line) => !isRehearsal(traces.find(line.key))),
  );
  const rehearsals = traces.list().filter(isRehearsal);
  const folded = new Map<string, OpenTrace>();
  const unsent = rehearsals.filter((rehearsal) => {
    const { messages } = live.lineOf(rehearsal);
    const became = happened.find((line) => line.messages.some((hash) => messages.includes(hash)));
    if (became !== undefined) {
      folded.set(became.key, rehearsal);
    }
    return became === undefined;
  });
  const all = mergeByTime(
    happened,
    unsent.map((trace) => live.lineOf(trace)).sort((a, b) => (b.time ?? 0) - (a.time ?? 0)),
  );
  const fitting = all.filter(isShown);
  const first = fitting.slice(0, most);
  const rows = first.flatMap((line, index): TraceElement[] => {
    const row = listedRow(line, traces.find(line.key), folded.get(line.key));
    const isLast = index === fitting.length - 1;
    return line.hasMore === true ? [row, { kind: 'older', after: line, isLast }] : [row];
  });
  return {
    rows: fitting.length > most ? [...rows, { kind: 'older', after: undefined, isLast: true }] : rows,
    shown: fitting.length,
    all: all.length,
  };
}

/** The row of a trace. */
export function listedRow(line: ListedLine, trace?: OpenTrace, rehearsal?: OpenTrace): TraceRowElement {
  return { kind: 'trace', key: line.key, id: line.id === '' ? undefined : line.id, line, trace, rehearsal };
}

function isRehearsal(trace: OpenTrace | undefined): boolean {
  return trace?.status === 'rehearsal';
}

/** Inserts `others` into `lines` by time; both keep their order. */
function mergeByTime(lines: readonly ListedLine[], others: readonly ListedLine[]): ListedLine[] {
  const merged: ListedLine[] = [];
  let next = 0;
  for (const line of lines) {
    for (let other = others[next]; other !== undefined && isNewer(other, line); other = others[next]) {
      merged.push(other);
      next += 1;
    }
    merged.push(line);
  }
  return [...merged, ...others.slice(next)];
}

function isNewer(a: ListedLine, b: ListedLine): boolean {
  return (a.time ?? Number.MAX_SAFE_INTEGER) > (b.time ?? 0);
}
