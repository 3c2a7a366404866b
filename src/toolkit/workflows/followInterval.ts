import type { Network } from '../access/network';

/** Milliseconds between two rounds of following: a local network answers at once, the public ones have a rate to keep. */
const intervals = { local: 200, remote: 2000 };

/** How long following waits between two rounds, in milliseconds. */
export function followInterval({ kind }: Pick<Network, 'kind'>): number {
  return kind === 'local' ? intervals.local : intervals.remote;
}
