/** A running local network, as far as it is told from others. */
interface MarkedNetwork {
  /** Seconds that its clock is ahead. */
  ahead: number;
  /** The network that it is a fork of. */
  fork?: { network: string } | undefined;
}

/** What sets a running local network apart: `+30 d` of a moved clock. Empty if nothing does. */
export function clockWords({ ahead }: Pick<MarkedNetwork, 'ahead'>): string {
  const [size, unit] =
    ahead >= 86_400 ? [86_400, 'd'] : ahead >= 3600 ? [3600, 'h'] : ahead >= 60 ? [60, 'min'] : [1, 's'];
  return ahead < 1 ? '' : `+${Math.floor(ahead / size)} ${unit}`;
}

/** `(fork of Mainnet) +30 d`, as the status bar shows it. */
export function localNetworkWords(running: MarkedNetwork): string {
  const fork = running.fork === undefined ? [] : [`(fork of ${running.fork.network})`];
  return [...fork, clockWords(running)].filter((part) => part !== '').join(' ');
}
