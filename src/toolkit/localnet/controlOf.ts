/** The control API of a local network, next to its other APIs; undefined for a network without either. */
export function controlOf({
  v2,
  v3,
}: {
  v2?: string | undefined;
  v3?: string | undefined;
}): string | undefined {
  const base = v2 ?? v3;
  return base === undefined ? undefined : new URL('/control', base).href;
}

/** The control API of a network if it is a local one; undefined for any other. */
export function localControlOf(network: {
  kind: string;
  v2?: string | undefined;
  v3?: string | undefined;
}): string | undefined {
  return network.kind === 'local' ? controlOf(network) : undefined;
}
