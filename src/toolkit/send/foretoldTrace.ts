import { buildTrace } from '../trace/buildTrace';
import type { TraceModel } from '../trace/traceModel';
import type { PreparedSend } from './prepareSend';

/** The predicted trace with what the service knows of its accounts; undefined when the message was not executed. */
export function foretoldTrace({
  rehearsal,
  surroundings,
}: Pick<PreparedSend, 'rehearsal' | 'surroundings'>): TraceModel | undefined {
  return rehearsal.trace === undefined ? undefined : buildTrace(rehearsal.trace, surroundings);
}
