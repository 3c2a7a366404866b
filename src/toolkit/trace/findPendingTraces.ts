import { toWorkbenchError } from '../errors';
import { readTraces } from './readTraces';
import type { TraceModel } from './traceModel';
import type { TraceParameter, TraceSource } from './traceSource';

/**
 * Traces not yet in a block, by one filter (`ext_msg_hash` or `account`; the service does not combine them).
 * @returns undefined if the service has no pending traces and rejects every such request
 * @throws other errors of the source
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

/** A service without a store of pending traces says so in text, or does not know the path. */
function saysThereAreNone(error: unknown): boolean {
  const { kind, details } = toWorkbenchError(error);
  return (
    kind === 'service' &&
    (/not initialized/.test(String(details.serviceText)) || [404, 405, 501].includes(Number(details.status)))
  );
}
