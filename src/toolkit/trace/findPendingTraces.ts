import { toWorkbenchError } from '../errors';
import { readTraces } from './readTraces';
import type { TraceModel } from './traceModel';
import type { TraceParameter, TraceSource } from './traceSource';

/**
 * The traces that are not in a block yet, of one filter (`ext_msg_hash` or `account`; the service does not combine them).
 * @returns undefined where the service keeps no pending traces and refuses every such request
 * @throws what the source throws otherwise
 */
export async function findPendingTraces(
  source: TraceSource,
  filter: Readonly<Record<string, TraceParameter>>,
  signal?: AbortSignal,
): Promise<TraceModel[] | undefined> {
  try {
    return readTraces(await source.request('pendingTraces', filter, signal), { isPending: true });
  } catch (error) {
    if (saysThereAreNone(error)) {
      return undefined;
    }
    throw error;
  }
}

/** A service without the store of pending traces says so in words, or does not know the path. */
function saysThereAreNone(error: unknown): boolean {
  const { kind, details } = toWorkbenchError(error);
  return (
    kind === 'service' &&
    (/not initialized/.test(String(details.serviceText)) || [404, 405, 501].includes(Number(details.status)))
  );
}
