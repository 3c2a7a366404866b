import type { Connections } from './connections';

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
