import type { Access } from '../access/createAccess';
import { v3Endpoints } from '../access/v3/endpoints';
import { buildTrace } from '../trace/buildTrace';
import type { TraceSurroundings } from '../trace/buildTrace';
import { surroundingsOf } from '../trace/readTraces';
import type { V3Trace, V3TracesAnswer } from '../trace/v3Trace';

/** Accounts asked for at once. */
const most = 100;

/**
 * What the service knows of a foretold trace's accounts: whose jetton wallet one is, and a jetton's symbol and decimals. A
 * trace that happened comes with it. Undefined where the service does not say: less is named then, nothing is wrong.
 */
export async function askSurroundings(
  access: Access,
  trace: V3Trace | undefined,
  signal?: AbortSignal,
): Promise<TraceSurroundings | undefined> {
  if (trace === undefined || access.network.v3 === undefined) {
    return undefined;
  }
  const address = buildTrace(trace).accounts.slice(0, most);
  try {
    const { text } = await access.call(v3Endpoints.metadata, { address }, { signal, priority: 'user' });
    const metadata = JSON.parse(text) as V3TracesAnswer['metadata'];
    return { metadata: surroundingsOf({ metadata }).metadata };
  } catch {
    return undefined;
  }
}
