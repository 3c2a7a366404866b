import type { TraceContext } from '../../src/toolkit/trace/traceContext';
import { makeTracePage } from '../../src/toolkit/trace/page/makeTracePage';
import type { TracePage } from '../../src/toolkit/trace/page/tracePage';

/** The page of a trace of which nothing more is known. */
export function tracePageOf(context: TraceContext): TracePage {
  return makeTracePage(context, {
    key: 'Local/trace',
    title: '',
    kind: 'happened',
    isPending: false,
    commands: [],
  });
}
