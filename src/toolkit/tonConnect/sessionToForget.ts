import { limits } from '../limits';
import type { Bridge } from './bridge';
import type { WalletJournal } from './walletJournal';
import type { WalletSession } from './walletSession';

/**
 * The connection that makes room for another one: the oldest that has ended, that nobody has decided in time, or that is idle,
 * with nothing to decide and nobody listening. Undefined if all are in use.
 * @param now milliseconds since the Unix epoch
 */
export function sessionToForget(
  { sessions, requests }: Pick<WalletJournal['book'], 'sessions' | 'requests'>,
  bridge: Pick<Bridge, 'hears'>,
  now: number,
): WalletSession | undefined {
  const all = [...sessions.values()];
  const busy = new Set([...requests.values()].map(({ session }) => session));
  const oldest = now - limits.walletLifetime.most * 1000;
  return (
    all.find(({ state }) => state === 'ended') ??
    all.find(({ state, since }) => state === 'pending' && since < oldest) ??
    all.find(({ id, app, state }) => state === 'connected' && !busy.has(id) && !bridge.hears(app))
  );
}
