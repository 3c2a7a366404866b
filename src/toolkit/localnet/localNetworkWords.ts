/** What distinguishes a running local network from others. */
interface MarkedNetwork {
  /** Seconds that its clock is ahead. */
  ahead: number;
  /** The network that it was forked from. */
  fork?: { network: string } | undefined;
}

/** The network's clock, if it was moved: `+30 d`; otherwise empty. */
export function clockWords({ ahead }: Pick<MarkedNetwork, 'ahead'>): string {
  const [size, unit] =
    ahead >= 86_400 ? [86_400, 'd'] : ahead >= 3600 ? [3600, 'h'] : ahead >= 60 ? [60, 'min'] : [1, 's'];
  return ahead < 1 ? '' : `+${Math.floor(ahead / size)} ${unit}`;
}

/** `(fork of Mainnet, +30 d)`, as the status bar shows it before the block's number; otherwise empty. */
export function localNetworkWords(running: MarkedNetwork): string {
  const fork = running.fork === undefined ? [] : [`fork of ${running.fork.network}`];
  const words = [...fork, clockWords(running)].filter((part) => part !== '');
  return words.length === 0 ? '' : `(${words.join(', ')})`;
}
