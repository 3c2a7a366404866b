import { lowerHex } from '../../toolkit/address/lowerHex';
import type { Connections } from './connections';

/** More contracts than a window ever shows; the oldest are dropped. */
const most = 5_000;

/**
 * For each window's connections: the names that its sources give to contracts seen, by network and raw
 * address.
 */
const learned = new WeakMap<Connections, Map<string, string>>();

/**
 * Remembers the name that the workspace's sources give a contract, recognized by its code; undefined if they
 * do not know it.
 */
export function learnSourceName(
  connections: Connections,
  network: string,
  address: string,
  name: string | undefined,
): void {
  const names = learned.get(connections) ?? new Map<string, string>();
  learned.set(connections, names);
  const key = `${network} ${lowerHex(address)}`;
  names.delete(key);
  if (name !== undefined) {
    names.set(key, name);
    const [oldest] = names.keys();
    if (names.size > most && oldest !== undefined) {
      names.delete(oldest);
    }
  }
}

/** The names from sources for contracts on a network, by raw address. */
export function sourceNamesOn(connections: Connections, network: string): Map<string, string> {
  const prefix = `${network} `;
  return new Map(
    [...(learned.get(connections) ?? [])].flatMap(([key, name]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), name] as [string, string]] : [],
    ),
  );
}
