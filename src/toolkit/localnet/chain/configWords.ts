import type { ChainState } from './chainState';

/** Where a chain's configuration comes from, and which of its parameters were set one by one since, for people. */
export function configWords({ config, settings }: Pick<ChainState, 'config' | 'settings'>): string {
  const set = settings.config?.set ?? [];
  if (set.length === 0) {
    return config.origin;
  }
  // The hash distinguishes successive values of a parameter.
  const hash = config.root.hash().toString('hex').slice(0, 8);
  return `${config.origin}; ${set.length === 1 ? 'parameter' : 'parameters'} ${set.join(', ')} set (${hash})`;
}
