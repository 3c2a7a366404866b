import type { Network } from '../access/network';
import type { Clock } from '../base/time';
import { systemClock } from '../base/time';
import { callControl } from './callControl';
import type { LocalnetStatus } from './control/localnetStatus';
import { localControlOf } from './controlOf';

/** Milliseconds for a local network to report its clock; without an answer the machine's is used. */
const patience = 2_000;

/** A network's clock: the machine's, except for a local network whose time was moved ahead. */
export async function networkClock(network: Network, signal?: AbortSignal): Promise<Clock> {
  const control = localControlOf(network);
  if (control === undefined) {
    return systemClock;
  }
  const limit = AbortSignal.timeout(patience);
  const ends = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  const status: Partial<LocalnetStatus> | null | undefined = await callControl(
    control,
    'status',
    {},
    ends,
  ).catch(() => undefined);
  const ahead = Number(status?.ahead ?? 0);
  return Number.isFinite(ahead)
    ? { ...systemClock, now: () => systemClock.now() + ahead * 1000 }
    : systemClock;
}
