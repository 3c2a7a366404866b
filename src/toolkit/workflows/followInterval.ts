import type { Network } from '../access/network';

/** Milliseconds between polling rounds: a local network answers at once, the public ones have rate limits. */
const intervals = { local: 200, remote: 2000 };

/** The wait between polling rounds, in milliseconds. */
export function followInterval({ kind }: Pick<Network, 'kind'>): number {
  return kind === 'local' ? intervals.local : intervals.remote;
}
