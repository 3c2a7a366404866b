import type { Network } from '../access/network';
import { callControl } from '../localnet/callControl';
import type { LocalnetStatus } from '../localnet/localnet';
import type { Clock } from '../time';
import { systemClock } from '../time';

/** Milliseconds for a local network to tell its clock; without an answer it is the machine's. */
const patience = 2_000;

/** The clock of a network: the machine's, but for a local network whose time was moved ahead. */
export async function networkClock({ kind, v2, v3 }: Network, signal?: AbortSignal): Promise<Clock> {
  const base = v2 ?? v3;
  if (kind !== 'local' || base === undefined) {
    return systemClock;
  }
  const limit = AbortSignal.timeout(patience);
  const ends = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  const status = await callControl<Partial<LocalnetStatus> | null>(
    new URL('/control', base).href,
    'status',
    undefined,
    ends,
  ).catch(() => undefined);
  const ahead = Number(status?.ahead ?? 0);
  return Number.isFinite(ahead)
    ? { ...systemClock, now: () => systemClock.now() + ahead * 1000 }
    : systemClock;
}
