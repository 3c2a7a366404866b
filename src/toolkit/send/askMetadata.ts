import type { Access } from '../access/createAccess';
import { surroundingsOf } from '../trace/readTraces';
import type { TraceModel } from '../trace/traceModel';

/** Accounts asked for at once. */
const most = 100;

/**
 * The trace with what the service knows of its accounts: whose jetton wallet one is, and a jetton's symbol and decimals. A
 * trace that happened comes with it, a predicted one does not. The same trace where the service does not say.
 */
export async function askMetadata(
  access: Access,
  trace: TraceModel,
  signal?: AbortSignal,
): Promise<TraceModel> {
  if (access.network.v3 === undefined) {
    return trace;
  }
  const address = trace.accounts.slice(0, most);
  try {
    const metadata = await access.v3.metadata({ address }, { signal, priority: 'user' });
    return { ...trace, metadata: surroundingsOf({ metadata }).metadata };
  } catch {
    return trace;
  }
}
