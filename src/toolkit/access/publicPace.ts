import { publicNetworks } from './network';

const publicOrigins: ReadonlySet<string> = new Set(
  publicNetworks.flatMap(({ v2, v3 }) =>
    [v2, v3].flatMap((url) => (url === undefined ? [] : [new URL(url).origin])),
  ),
);

/** Whether it is a host of TON Center's public networks, whatever the network's name. */
export function isPublicOrigin(origin: string): boolean {
  return publicOrigins.has(origin);
}

/**
 * Requests per second that a host of TON Center's public networks allows: 1 without a key, `withKey` with one (10 on
 * the free plan). Undefined for other hosts: their limits are unknown.
 */
export function publicPace(origin: string, hasKey: boolean, withKey = 10): number | undefined {
  if (!isPublicOrigin(origin)) {
    return undefined;
  }
  return hasKey ? withKey : 1;
}
