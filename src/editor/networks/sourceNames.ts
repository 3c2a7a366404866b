import { lowerHex } from '../../toolkit/address/lowerHex';
import { keepNewest } from '../../toolkit/base/collections';
import type { Connections } from './localNetwork';

/** More contracts than a window ever shows; the oldest are dropped. */
const most = 5_000;

/** The names that the sources give to contracts seen, by network and raw address. */
const learned = perWindow(() => new Map<string, string>());

/**
 * Remembers the name that the workspace's sources give a contract, recognized by its code; undefined if they
 * do not know it.
 */
export function learnSourceName(
  services: { connections: Connections },
  network: string,
  address: string,
  name: string | undefined,
): void {
  const key = `${network} ${lowerHex(address)}`;
  if (name === undefined) {
    learned(services).delete(key);
  } else {
    keepNewest(learned(services), key, name, most);
  }
}

/** The names from sources for contracts on a network, by raw address. */
export function sourceNamesOn(services: { connections: Connections }, network: string): Map<string, string> {
  const prefix = `${network} `;
  return new Map(
    [...learned(services)].flatMap(([key, name]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), name] as [string, string]] : [],
    ),
  );
}

/** Any of the services: every window has one set of connections. */
export interface OfWindow {
  connections: Connections;
}

/** What a window has one of, made when it is first asked for and gone with the window's services. */
export function perWindow<Services extends OfWindow, Value>(
  make: (services: Services) => Value,
): (services: Services) => Value {
  const made = new WeakMap<Connections, Value>();
  return (services) => {
    const value = made.get(services.connections) ?? make(services);
    made.set(services.connections, value);
    return value;
  };
}
