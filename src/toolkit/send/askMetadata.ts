import type { Access } from '../access/createAccess';
import { surroundingsOf } from '../trace/readTraces';
import type { TraceModel } from '../trace/traceModel';

/** Accounts requested at once. */
const most = 100;

/**
 * Adds the service's metadata about a trace's accounts: owners of jetton wallets, and jettons' symbols and decimals.
 * Executed traces already have it, predicted ones do not. Unchanged if the service has none.
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
