import type { HappenedTransfer } from '../../toolkit/webhook/payload/transferPayload';
import type { WebhookServices } from './webhookServices';

/** Maximum traces searched, newest first. */
const recentTraces = 30;

/** The latest transfers on the local network, which is started if needed. */
export async function recentTransfers(
  services: WebhookServices,
  signal: AbortSignal,
): Promise<HappenedTransfer[]> {
  const { happenedTransfers } = await import('../../toolkit/webhook/chain/happenedTransfers');
  const { traceSourceOf } = await import('../../toolkit/access/traceSourceOf');
  const { chainOf } = await import('../../toolkit/webhook/chain/chainOf');
  await services.localNetwork.ensureRunning(signal);
  const local = services.networks.list().find((network) => network.kind === 'local');
  if (local === undefined) {
    return [];
  }
  const access = await services.connections.to(local);
  const chain = chainOf(traceSourceOf(access), signal);
  const { traces } = await access.v3.traces({ limit: recentTraces, sort: 'desc' }, { signal });
  const ids = (traces ?? []).flatMap((trace) => trace.trace_id ?? []);
  const found = await Promise.all(ids.map((id) => chain.trace(id)));
  return found.flatMap((trace) => (trace === undefined ? [] : happenedTransfers(trace)));
}
