import type { StateFidelity } from '../../accounts/accountSource';
import type { LocalChain } from '../chain/localChain';

/**
 * How an account's state came about: made on this network (`local`), or read from the network it is a fork of, `exact` or
 * `partial`. What happens to an account afterwards does not make it better known.
 */
export function stateSource({ fork }: LocalChain, address: string): StateFidelity | 'local' {
  return fork?.fidelity(address) ?? 'local';
}

/** The same as a field of an answer; without a fork there is none. */
export function stateSourceField(chain: LocalChain, address: string): { fork_state?: string } {
  return chain.fork === undefined ? {} : { fork_state: stateSource(chain, address) };
}
